package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the rules to check from the candidates that match a request.
 *
 * <p>The order of patterns is not transitive: {@code /{a}/{b}/{c}/**} comes before {@code /a/**}, which comes before
 * {@code /**}{@code /x*}, which comes before the first one. So the best candidate is found by going through them in the order they
 * were written, which gives the same result however they were looked up.
 */
final class Selection {

    private Selection() {}

    /** @param candidates all candidates that match the path; sorted in place */
    static List<BoundRule> of(List<Candidate> candidates, String path) {
        candidates.sort(Comparator.comparingInt(Candidate::place));
        List<Candidate> chosen = new ArrayList<>(candidates.size());
        choose(candidates, false, path, chosen);
        choose(candidates, true, path, chosen);
        List<BoundRule> rules = new ArrayList<>(chosen.size());
        chosen.forEach(candidate -> rules.add(candidate.boundRule()));
        return rules;
    }

    /** Shadow rules give way to each other as enforced rules do, but neither kind gives way to the other. */
    private static void choose(List<Candidate> candidates, boolean shadow, String path, List<Candidate> chosen) {
        int from = chosen.size();
        Candidate first = null;
        for (Candidate candidate : candidates) {
            if (candidate.shadow() != shadow) {
                continue;
            }
            if (candidate.matchesAll()) {
                if (chosen.stream().noneMatch(each -> each.boundRule() == candidate.boundRule())) {
                    chosen.add(candidate);
                }
            } else if (first == null || candidate.beats(first, path)) {
                first = candidate;
            }
        }
        if (chosen.size() > from + 1) {
            // A stable sort: rules of equal priority stay in the order they were written.
            chosen.subList(from, chosen.size())
                    .sort(Comparator.comparingInt(each -> -each.rule().priority()));
        }
        if (first != null) {
            chosen.add(first);
        }
    }
}
