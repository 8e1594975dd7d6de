package io.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZipfTest {

    @Test
    void drawsInProportionToTheRank() {
        Random random = new Random(7);
        int[] count = new int[100];
        for (int drawn : new Zipf(100, 1, random).draw(1_000_000, random)) {
            count[drawn]++;
        }
        Arrays.sort(count);
        assertThat((double) count[99] / count[98]).as("first to second").isCloseTo(2, within(0.05));
        assertThat((double) count[99] / count[90]).as("first to tenth").isCloseTo(10, within(0.5));
        assertThat(count[0]).as("the last is drawn too").isPositive();
    }
}
