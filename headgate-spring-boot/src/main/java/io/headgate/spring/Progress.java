package io.headgate.spring;

import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a request has come. Kept by those who let it pass, behind one attribute of it.
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

    /**
     * Where the request has still to stop, in one pass: at the rules that matched and the limits of its handler. A rule that is both
     * is checked once, as the handler says.
     */
    public List<Checkpoint> due(List<Checkpoint> matched, List<Checkpoint> own) {
        if (charged.isEmpty() && own.isEmpty()) {
            return matched;
        }
        List<Checkpoint> due = new ArrayList<>(matched);
        due.removeIf(rule -> isOneOf(own, rule));
        due.addAll(own);
        due.removeIf(point -> isOneOf(charged, point));
        return due;
    }

    private static boolean isOneOf(List<Checkpoint> some, Checkpoint point) {
        return some.stream()
                .anyMatch(each -> each.rule().name().equals(point.rule().name()));
    }
}
