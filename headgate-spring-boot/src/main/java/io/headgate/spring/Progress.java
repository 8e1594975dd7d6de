package io.headgate.spring;

import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far a request has come. Kept as one attribute, which is replaced and never changed: after an include Spring puts back what
 * was known before.
 *
 * @param charged where the request has been let pass. A forward meets the rules of its new path, but none of them twice
 * @param told what its client is told by all stages together
 * @param onTheWay what was said before a handler was reached. Who is refused there gets back what that has cost
 */
public record Progress(List<Checkpoint> charged, Verdict told, List<Verdict> onTheWay) {

    /** The attribute of a request that this is kept as. */
    public static final String ATTRIBUTE = Progress.class.getName();

    private static final Progress NONE = new Progress(List.of(), Verdict.PASS, List.of());

    /** What that attribute says; no progress if there is none. */
    public static Progress of(@Nullable Object attribute) {
        return attribute instanceof Progress known ? known : NONE;
    }

    /** This and what was said later, at more checkpoints, on the way to a handler. */
    public Progress and(List<Checkpoint> more, Verdict later) {
        return new Progress(joined(charged, more), told.and(later), joined(onTheWay, List.of(later)));
    }

    /** Whether nothing could be given back any more. */
    public boolean settled() {
        return onTheWay.isEmpty();
    }

    /** This and what was said right before a handler, which is called now: nothing is given back after that. */
    public Progress arrived(List<Checkpoint> more, Verdict last) {
        return new Progress(joined(charged, more), told.and(last), List.of());
    }

    /** Gives back what was charged on the way. */
    public void giveBack() {
        onTheWay.forEach(Verdict::giveBack);
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        return some.isEmpty()
                ? more
                : Stream.concat(some.stream(), more.stream()).toList();
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
