package io.headgate.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DivisorTest {

    @ParameterizedTest
    @MethodSource("divisors")
    void dividesAsTheOperatorDoesOnEitherSideOfEveryStep(long divisor) {
        Divisor by = new Divisor(divisor);
        long last = Divisor.LARGEST_DIVIDEND / divisor;

        for (long quotient : new long[] {0, 1, 2, 3, last / 3, last / 2, last - 1, last}) {
            long step = quotient * divisor;
            for (long dividend = Math.max(0, step - 2); dividend <= step + 2; dividend++) {
                if (dividend <= Divisor.LARGEST_DIVIDEND) {
                    assertThat(by.divide(dividend))
                            .as("%d / %d", dividend, divisor)
                            .isEqualTo(dividend / divisor);
                }
            }
        }
        assertThat(by.divide(Divisor.LARGEST_DIVIDEND)).isEqualTo(Divisor.LARGEST_DIVIDEND / divisor);
    }

    static LongStream divisors() {
        LongStream aroundPowersOfTwo =
                LongStream.range(0, 58).map(power -> 1L << power).flatMap(power -> LongStream.of(power, power + 1));
        return LongStream.concat(
                aroundPowersOfTwo, LongStream.of(6, 7, 10, 1_000, 86_400_000_000L, 31_622_400_000_000L));
    }

    @Test
    void dividesAnyNumberByAnyOther() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long divisor = 1 + (random.nextLong() >>> (6 + random.nextInt(57)));
            long dividend = random.nextLong() >>> (5 + random.nextInt(58));
            assertThat(new Divisor(divisor).divide(dividend))
                    .as("%d / %d (seed %d)", dividend, divisor, seed)
                    .isEqualTo(dividend / divisor);
        }
    }
}
