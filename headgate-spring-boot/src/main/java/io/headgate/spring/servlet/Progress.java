package io.headgate.spring.servlet;

import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import io.headgate.spring.RulesAndMore;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a request has come. Kept as one attribute, which is replaced and never changed: after an include Spring puts back what
 * was known before.
 *
 * @param charged where the request has been let pass on its way to handlers. A forward meets the rules of its new path, but none
 *     of them twice
 * @param told what its client is told by all stages together
 */
record Progress(List<Checkpoint> charged, Verdict told) {

    private static final String ATTRIBUTE = Progress.class.getName();
    private static final Progress NONE = new Progress(List.of(), Verdict.PASS);

    static Progress of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Progress known ? known : NONE;
    }

    void keep(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** This and what was said later, at more checkpoints. */
    Progress and(List<Checkpoint> more, Verdict later) {
        List<Checkpoint> all = charged.isEmpty()
                ? more
                : Stream.concat(charged.stream(), more.stream()).toList();
        return new Progress(all, told.and(later));
    }

    /** Where the request has still to stop. */
    List<Checkpoint> due(List<Checkpoint> matched, List<Checkpoint> own) {
        if (charged.isEmpty() && own.isEmpty()) {
            return matched;
        }
        Set<String> names = charged.stream().map(point -> point.rule().name()).collect(Collectors.toSet());
        return RulesAndMore.due(matched, own, names);
    }
}
