package io.headgate.http.subject;

import org.jspecify.annotations.Nullable;

/**
 * A block of addresses in CIDR notation.
 *
 * @param first the first address, with every bit beyond the prefix cleared
 * @param prefix the prefix length in bits of the IPv6 form; an IPv4 prefix counts 96 more
 */
record Cidr(Address first, int prefix) {

    Cidr {
        first = new Address(first.high() & mask(prefix), first.low() & mask(prefix - 64));
    }

    private static long mask(int bits) {
        return bits <= 0 ? 0 : bits >= 64 ? -1 : -1L << (64 - bits);
    }

    boolean contains(Address address) {
        return (address.high() & mask(prefix)) == first.high() && (address.low() & mask(prefix - 64)) == first.low();
    }

    /** Whether every IPv4 address or every IPv6 address is in the block. */
    boolean isEverybody() {
        return prefix == 0 || (prefix <= 96 && first.v4());
    }

    /**
     * Parses a block such as {@code 10.0.0.0/8}, or a single address; {@code null} if the text is neither.
     *
     * @throws IllegalArgumentException if the text is an address with an invalid prefix
     */
    static @Nullable Cidr parse(String text) {
        int slash = text.indexOf('/');
        Address address = Address.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        int bits = text.indexOf(':') < 0 ? 32 : 128;
        int prefix = slash < 0 ? bits : number(text.substring(slash + 1));
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a block of addresses: the prefix must be between 0 and " + bits + ", as in "
                            + (bits == 32 ? "10.0.0.0/8" : "2001:db8::/32"));
        }
        return new Cidr(address, prefix + 128 - bits);
    }

    private static int number(String digits) {
        return digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
    }
}
