package io.headgate.http.subject;

import io.headgate.http.Bypass;
import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Exempts requests from a rule by the client address or by the value of the subject. */
record BypassList(ClientAddress addresses, List<Cidr> blocks, Set<String> values) implements Bypass {

    BypassList {
        blocks = List.copyOf(blocks);
        values = Set.copyOf(values);
    }

    @Override
    public boolean bypasses(RequestView request, Subject subject) {
        return (subject instanceof Subject.Present found && values.contains(found.value()) && !fellBack(found))
                || (!blocks.isEmpty() && inBlock(addresses.of(request)));
    }

    /** Whether the subject is the fallback for a request that lacks the subject of the rule, so that its value does not count. */
    private static boolean fellBack(Subject.Present subject) {
        return subject.kind().equals("ip") || subject.kind().equals("unknown");
    }

    private boolean inBlock(@Nullable Address address) {
        return address != null && blocks.stream().anyMatch(block -> block.contains(address));
    }
}
