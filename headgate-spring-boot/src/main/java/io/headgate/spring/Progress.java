package io.headgate.spring;

import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a request has come. Kept as one attribute, which is replaced and never changed: after an include Spring puts back what
 * was known before.
 *
 * @param charged where the request has been let pass. A forward meets the rules of its new path, but none of them twice
 * @param told what its client is told by all stages together
 */
public record Progress(List<Checkpoint> charged, Verdict told) {

    /** The attribute of a request that this is kept as. */
    public static final String ATTRIBUTE = Progress.class.getName();

    private static final Progress NONE = new Progress(List.of(), Verdict.PASS);

    /** What that attribute says; no progress if there is none. */
    public static Progress of(@Nullable Object attribute) {
        return attribute instanceof Progress known ? known : NONE;
    }

    /** This and what was said later, at more checkpoints. */
    public Progress and(List<Checkpoint> more, Verdict later) {
        List<Checkpoint> all = charged.isEmpty()
                ? more
                : Stream.concat(charged.stream(), more.stream()).toList();
        return new Progress(all, told.and(later));
    }

    /** Where the request has still to stop: the very list that matched, if there is nothing to it. */
    public List<Checkpoint> due(List<Checkpoint> matched, List<Checkpoint> own) {
        if (charged.isEmpty() && own.isEmpty()) {
            return matched;
        }
        Set<String> names = charged.stream().map(point -> point.rule().name()).collect(Collectors.toSet());
        return RulesAndMore.due(matched, own, names);
    }
}
