package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        List<Checkpoint> shadows = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (candidate.matchesBeside()) {
                addOnce(candidate.shadow() ? shadows : checkpoints, candidate.checkpoint());
            }
        }
        if (checkpoints.size() > 1) {
            checkpoints.sort(
                    Comparator.comparingInt(each -> -each.rule().priority())); // stable: else as they were written
        }
        for (Candidate first = first(shadows); first != null; first = first(shadows)) {
            if (!first.shadow()) {
                checkpoints.add(first.checkpoint());
                break;
            }
            shadows.add(first.checkpoint());
        }
        checkpoints.addAll(shadows);
        return checkpoints;
    }

    /** The best of those that give way to each other, without those that are only tried out and have been noted. */
    private @Nullable Candidate first(List<Checkpoint> noted) {
        Candidate best = null;
        for (Candidate candidate : candidates) {
            if (!candidate.matchesBeside()
                    && !noted.contains(candidate.checkpoint())
                    && (best == null || candidate.beats(best, path))) {
                best = candidate;
            }
        }
        return best;
    }

    private static void addOnce(List<Checkpoint> checkpoints, Checkpoint checkpoint) {
        if (!checkpoints.contains(checkpoint)) {
            checkpoints.add(checkpoint);
        }
    }
}
