package io.headgate.spring;

import io.headgate.http.BoundRule;
import io.headgate.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which bound rules a request has passed so far. The adapters keep it in one attribute of the request.
 *
 * @param charged the bound rules that the request has passed. A forward is checked by the rules of its new path, but by none twice
 * @param told the verdict of all stages together, as the response headers report it
 */
public record Progress(List<BoundRule> charged, Verdict told) {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = Progress.class.getName();

    private static final Progress NONE = new Progress(List.of(), Verdict.PASS);

    /** The progress in that attribute; no progress if the attribute is absent. */
    public static Progress of(@Nullable Object attribute) {
        return attribute instanceof Progress known ? known : NONE;
    }

    /** This progress together with a later verdict at more bound rules. */
    public Progress and(List<BoundRule> more, Verdict later) {
        List<BoundRule> all = charged.isEmpty()
                ? more
                : Stream.concat(charged.stream(), more.stream()).toList();
        return new Progress(all, told.and(later));
    }

    /** This progress after a call of a limited method, which may be charged again and again. */
    public Progress called(Verdict verdict) {
        return new Progress(charged, told.and(verdict));
    }

    /**
     * The bound rules that the request must still pass, in one check: the rules that matched and the limits of its handler. A rule
     * that is both is checked once, with the handler's bound rule.
     */
    public List<BoundRule> due(List<BoundRule> matched, List<BoundRule> own) {
        if (charged.isEmpty() && own.isEmpty()) {
            return matched;
        }
        List<BoundRule> due = new ArrayList<>(matched);
        due.removeIf(rule -> isOneOf(own, rule));
        due.addAll(own);
        due.removeIf(point -> isOneOf(charged, point));
        return due;
    }

    private static boolean isOneOf(List<BoundRule> some, BoundRule point) {
        return some.stream()
                .anyMatch(each -> each.rule().name().equals(point.rule().name()));
    }
}
