package io.headgate.benchmarks;

import static io.headgate.benchmarks.Contender.BUCKET4J;
import static io.headgate.benchmarks.Contender.FLOOR;
import static io.headgate.benchmarks.Contender.GUAVA;
import static io.headgate.benchmarks.Contender.RESILIENCE4J;
import static io.headgate.benchmarks.Contender.RESILIENCE4J_REMAINING;
import static io.headgate.benchmarks.Contender.TOKEN_BUCKET;
import static io.headgate.benchmarks.Scenario.ONE_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {

    private final Figures figures = new Figures();
    private final Bars bars = new Bars(figures);

    @Test
    void medianIsTheMiddleOne() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(1, 2, 9));
        assertThat(Spread.of(List.of(4.0, 2.0))).isEqualTo(new Spread(2, 3, 4));
        assertThat(Spread.of(upTo(5))).isEqualTo(new Spread(1, 3, 5));
        assertThat(Spread.of(upTo(12))).isEqualTo(new Spread(3, 6.5, 10));
    }

    @Test
    void comparesForksOfTheSameRound() {
        times(FLOOR, 10, 100, 10);
        times(TOKEN_BUCKET, 12, 130, 11);
        assertThat(figures.ratio(ONE_KEY, TOKEN_BUCKET)).isEqualTo(new Spread(1.1, 1.2, 1.3));
    }

    @Test
    void leavesOutWhatWasNotMeasured() {
        times(FLOOR, 10);
        assertThat(figures.ratio(ONE_KEY, GUAVA)).isNull();
        assertThat(bars.nearFloor(ONE_KEY, TOKEN_BUCKET)).isNull();
        assertThat(new Report(figures).toString()).doesNotContain("\n| Guava").contains("1 = 10.0 ns");
    }

    @Test
    void marksBars() {
        times(FLOOR, 10, 10, 10);
        times(TOKEN_BUCKET, 13, 13, 14);
        times(BUCKET4J, 13, 13, 13);
        times(RESILIENCE4J_REMAINING, 14, 14, 14);
        times(RESILIENCE4J, 11, 12, 13);
        times(GUAVA, 11, 12, 13);
        assertThat(bars.nearFloor(ONE_KEY, TOKEN_BUCKET)).isTrue();
        assertThat(bars.holdsAgainst(ONE_KEY, TOKEN_BUCKET, BUCKET4J))
                .as("level")
                .isFalse();
        assertThat(bars.holdsAgainst(ONE_KEY, TOKEN_BUCKET, RESILIENCE4J_REMAINING))
                .as("ahead")
                .isTrue();
        for (Contender peer : List.of(GUAVA, RESILIENCE4J)) {
            assertThat(bars.holdsAgainst(ONE_KEY, TOKEN_BUCKET, peer))
                    .as("within noise of a yes or no")
                    .isTrue();
        }
        times(TOKEN_BUCKET, 14, 14);
        times(FLOOR, 10, 10);
        assertThat(bars.nearFloor(ONE_KEY, TOKEN_BUCKET)).isFalse();
    }

    private void times(Contender contender, double... nanos) {
        for (double each : nanos) {
            figures.add(ONE_KEY, contender, new Sample(each, 0));
        }
    }

    private static List<Double> upTo(int count) {
        return IntStream.rangeClosed(1, count).asDoubleStream().boxed().toList();
    }
}
