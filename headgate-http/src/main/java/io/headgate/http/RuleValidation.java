package io.headgate.http;

import io.headgate.Limit;

/** Checks that apply to limits in rules and in annotations alike. */
public final class RuleValidation {

    private static final int LONGEST_NAME = 100;

    /** The error message for an invalid name. */
    public static final String NAME =
            "a name must be 1 to " + LONGEST_NAME + " printable ASCII characters other than \", \\ and :";

    private RuleValidation() {}

    /**
     * Whether the text is a valid name. Names appear in headers, in metrics and as prefixes of keys, where a colon separates the
     * budgets of shadow rules.
     */
    public static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= LONGEST_NAME
                && text.chars().allMatch(c -> c >= ' ' && c <= '~' && "\"\\:".indexOf(c) < 0);
    }

    /**
     * Checks that the cost is at least 1.
     *
     * @throws IllegalArgumentException if it is less
     */
    public static void checkCost(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("a cost must be at least 1, not " + cost);
        }
    }

    /**
     * Checks that the limit can ever grant a constant cost. A limit of 0 permits denies everything on purpose and passes.
     *
     * @throws IllegalArgumentException if the cost exceeds the burst of the limit
     */
    public static void checkGranted(long cost, Limit limit) {
        if (limit.permits() > 0 && cost > limit.burst()) {
            throw new IllegalArgumentException("a cost of " + cost + " can never be granted under " + limit.text());
        }
    }
}
