package io.headgate.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * A median and its confidence interval: two of the values that enclose the true median with a probability of at least 93 % if the
 * values are independent. Of five values these are the least and the greatest, of twelve the third from either end. Fewer than
 * five values allow no such interval; the least and the greatest take its place.
 */
public record Spread(double low, double median, double high) {

    private static final double DOUBT = 0.07;

    public static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        int outside = outside(n);
        double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
        return new Spread(sorted.get(outside), median, sorted.get(n - 1 - outside));
    }

    /** How many of n values may be left out at either end, given that each is below the true median with a probability of one half. */
    private static int outside(int n) {
        double choices = 1;
        double below = choices;
        int outside = 0;
        while (true) {
            choices = choices * (n - outside) / (outside + 1);
            below += choices;
            if (2 * below / Math.pow(2, n) > DOUBT) {
                return outside;
            }
            outside++;
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, low, high);
    }
}
