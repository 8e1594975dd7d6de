package io.headgate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a misspelt one was meant to be. */
public final class Spelling {

    private Spelling() {}

    /** {@code "; did you mean 'burst'?"}, or nothing if no known word is close. */
    public static String hint(String written, Collection<String> known) {
        return closest(written, known)
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
    }

    /**
     * The known word closest to the written one, if it is close. Case, hyphens and underscores do not count. In a word of up to four
     * letters one letter may differ, in a longer one a third of the letters.
     */
    public static Optional<String> closest(String written, Collection<String> known) {
        String plain = plain(written);
        String closest = null;
        int least = Math.max(1, plain.length() / 3) + 1;
        List<String> sorted = new ArrayList<>(known);
        sorted.sort(null);
        for (String word : sorted) {
            int distance = distance(plain, plain(word));
            if (distance < least && distance < word.length()) {
                least = distance;
                closest = word;
            }
        }
        return Optional.ofNullable(closest);
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** How many letters must be inserted, removed, replaced or swapped with the next one to turn one word into the other. */
    private static int distance(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                cost[i][j] = i == 0 ? j : j == 0 ? i : cheapest(cost, one, other, i, j);
            }
        }
        return cost[one.length()][other.length()];
    }

    private static int cheapest(int[][] cost, String one, String other, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int cheapest = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(cheapest, cost[i - 2][j - 2] + 1) : cheapest;
    }
}
