package io.headgate.http.subject;

import org.jspecify.annotations.Nullable;

/**
 * A block of addresses.
 *
 * @param first the address with every bit beyond the prefix cleared
 * @param prefix how many bits they share, counted as in IPv6
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

    /**
     * A block such as {@code 10.0.0.0/8}, or one address; {@code null} if it is neither.
     *
     * @throws IllegalArgumentException if it is an address with a prefix it cannot have
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
                    "'" + text + "' is not a block of addresses: the prefix is between 0 and " + bits);
        }
        return new Cidr(address, prefix + 128 - bits);
    }

    private static int number(String digits) {
        return digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
    }
}
