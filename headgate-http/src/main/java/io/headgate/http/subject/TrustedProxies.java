package io.headgate.http.subject;

import java.util.ArrayList;
import java.util.List;

/** The proxies that are trusted to report the address of the client. */
final class TrustedProxies {

    private final Cidr[] blocks;

    private TrustedProxies(Cidr[] blocks) {
        this.blocks = blocks;
    }

    /** @throws IllegalArgumentException naming every entry that is neither an address nor a block of addresses */
    static TrustedProxies of(List<String> blocks) {
        List<String> problems = new ArrayList<>();
        List<Cidr> all = new ArrayList<>();
        for (String text : blocks) {
            try {
                Cidr block = Cidr.parse(text);
                if (block == null) {
                    problems.add("trusted proxy '" + text
                            + "' is not an address or a block of addresses, such as 10.0.0.0/8");
                } else {
                    all.add(block);
                }
            } catch (IllegalArgumentException e) {
                problems.add("trusted proxy " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return new TrustedProxies(all.toArray(Cidr[]::new));
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
