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

    private final String path;
    private final List<Candidate> candidates;

    /** @param candidates all candidates that match; sorted in place */
    Selection(String path, List<Candidate> candidates) {
        this.path = path;
        this.candidates = candidates;
    }

    List<BoundRule> boundRules() {
        candidates.sort(Comparator.comparingInt(Candidate::place));
        List<BoundRule> boundRules = new ArrayList<>(candidates.size());
        choose(false, boundRules);
        choose(true, boundRules);
        return boundRules;
    }

    /** Shadow rules give way to each other as enforced rules do, but neither kind gives way to the other. */
    private void choose(boolean shadow, List<BoundRule> chosen) {
        int from = chosen.size();
        Candidate first = null;
        for (Candidate candidate : candidates) {
            if (candidate.shadow() != shadow) {
                continue;
            }
            if (candidate.matchesBeside()) {
                addOnce(chosen, candidate.boundRule());
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
            chosen.add(first.boundRule());
        }
    }

    private static void addOnce(List<BoundRule> boundRules, BoundRule boundRule) {
        if (!boundRules.contains(boundRule)) {
            boundRules.add(boundRule);
        }
    }
}
