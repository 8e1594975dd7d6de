package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The candidates that match a request, and which of them count.
 *
 * <p>The order of patterns is not transitive: {@code /{a}/{b}/{c}/**} comes before {@code /a/**}, that before
 * {@code /**}{@code /x*}, and that before the first one. So the best is found by going through them as they were written,
 * which gives the same answer however the candidates were found.
 */
final class Selection {

    private final String path;
    private final List<Candidate> candidates;

    /** @param candidates all that match */
    Selection(String path, List<Candidate> candidates) {
        this.path = path;
        this.candidates = candidates;
    }

    List<Checkpoint> checkpoints() {
        candidates.sort(Comparator.comparingInt(Candidate::place));
        List<Checkpoint> checkpoints = new ArrayList<>(candidates.size());
        choose(false, checkpoints);
        choose(true, checkpoints);
        return checkpoints;
    }

    /** Rules that are only tried out give way to each other as the enforced ones do, and neither to the other kind. */
    private void choose(boolean shadow, List<Checkpoint> chosen) {
        int from = chosen.size();
        Candidate first = null;
        for (Candidate candidate : candidates) {
            if (candidate.shadow() != shadow) {
                continue;
            }
            if (candidate.matchesBeside()) {
                addOnce(chosen, candidate.checkpoint());
            } else if (first == null || candidate.beats(first, path)) {
                first = candidate;
            }
        }
        if (chosen.size() > from + 1) {
            chosen.subList(from, chosen.size())
                    .sort(Comparator.comparingInt(
                            each -> -each.rule().priority())); // stable: else as they were written
        }
        if (first != null) {
            chosen.add(first.checkpoint());
        }
    }

    private static void addOnce(List<Checkpoint> checkpoints, Checkpoint checkpoint) {
        if (!checkpoints.contains(checkpoint)) {
            checkpoints.add(checkpoint);
        }
    }
}
