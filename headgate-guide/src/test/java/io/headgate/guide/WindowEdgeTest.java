package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The picture of the guide is the one the algorithms draw today. */
class WindowEdgeTest {

    @Test
    void isDrawnAsTheGuideHasIt() {
        assertThat(Pages.read(Pages.ROOT.resolve("docs/guide/window-edge.svg")))
                .as("draw it again: ./mvnw -q -pl headgate-guide -am compile exec:java")
                .isEqualTo(WindowEdge.draw());
    }

    @Test
    void countsTheMostWithinAnyMinute() {
        assertThat(WindowEdge.mostInAnyMinute(List.of(0, 59, 60, 61, 118))).isEqualTo(4);
        assertThat(WindowEdge.mostInAnyMinute(List.of())).isZero();
    }

    @Test
    void showsWhoKeepsTheLimitAtAnEdge() {
        assertThat(WindowEdge.ALGORITHMS)
                .filteredOn(algorithm -> WindowEdge.mostInAnyMinute(WindowEdge.allowed(algorithm)) <= 10)
                .containsExactly("sliding-window", "sliding-window-log", "leaky-bucket");
    }
}
