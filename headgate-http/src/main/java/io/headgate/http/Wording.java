package io.headgate.http;

import io.headgate.Limit;

/** What may be said of a limit wherever it is written, in a rule or in an annotation. */
public final class Wording {

    private static final int LONGEST_NAME = 100;

    /** What a name is. */
    public static final String NAME =
            "a name is 1 to " + LONGEST_NAME + " printable ASCII characters without \", \\ and :";

    private Wording() {}

    /**
     * Whether a limit can be called so: a name stands in headers, in metrics and before keys, where a colon sets apart the budgets of
     * rules that are tried out.
     */
    public static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= LONGEST_NAME
                && text.chars().allMatch(c -> c >= ' ' && c <= '~' && "\"\\:".indexOf(c) < 0);
    }

    /**
     * Every request costs something.
     *
     * @throws IllegalArgumentException if that is not so
     */
    public static void checkCost(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("a cost must be at least 1, not " + cost);
        }
    }

    /**
     * A limit that grants anything grants a cost that is always the same.
     *
     * @throws IllegalArgumentException if that is not so
     */
    public static void checkGranted(long cost, Limit limit) {
        if (limit.permits() > 0 && cost > limit.burst()) {
            throw new IllegalArgumentException("a cost of " + cost + " can never be granted under " + limit.text());
        }
    }
}
