package io.headgate.benchmarks;

import java.util.Arrays;
import java.util.Random;

/** Draws numbers below n from a Zipf distribution: the probability of the k-th most frequent is proportional to 1/k^s. */
final class Zipf {

    private final double[] upTo;
    private final int[] place;

    Zipf(int n, double s, Random random) {
        upTo = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 1 / Math.pow(i + 1, s);
            upTo[i] = sum;
        }
        place = shuffled(n, random);
    }

    /** A random permutation, so that the frequent numbers are not next to each other. */
    private static int[] shuffled(int n, Random random) {
        int[] place = new int[n];
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            place[i] = place[j];
            place[j] = i;
        }
        return place;
    }

    int[] draw(int count, Random random) {
        int[] drawn = new int[count];
        Arrays.setAll(drawn, i -> {
            int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
            return place[Math.min(found < 0 ? -found - 1 : found, place.length - 1)];
        });
        return drawn;
    }
}
