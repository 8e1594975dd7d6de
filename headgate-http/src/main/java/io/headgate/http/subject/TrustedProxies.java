package io.headgate.http.subject;

import java.util.List;

/** The proxies that are trusted to report the address of the client. */
final class TrustedProxies {

    private final Cidr[] blocks;

    private TrustedProxies(Cidr[] blocks) {
        this.blocks = blocks;
    }

    /** @throws IllegalArgumentException if an entry is neither an address nor a block of addresses */
    static TrustedProxies of(List<String> blocks) {
        return new TrustedProxies(blocks.stream()
                .map(text -> {
                    Cidr block = Cidr.parse(text);
                    if (block == null) {
                        throw new IllegalArgumentException("trusted proxy '" + text
                                + "' is not an address or a block of addresses, such as 10.0.0.0/8");
                    }
                    return block;
                })
                .toArray(Cidr[]::new));
    }

    boolean none() {
        return blocks.length == 0;
    }

    boolean trusts(Address address) {
        for (Cidr block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
