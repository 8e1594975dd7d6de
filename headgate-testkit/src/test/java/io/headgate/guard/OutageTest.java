package io.headgate.guard;

import static io.headgate.guard.Outage.CALM_MICROS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutageTest {

    private final Outage outage = new Outage();

    @Test
    void beginsOnce() {
        assertThat(outage.fails(1_000)).isTrue();
        assertThat(outage.fails(2_000)).isFalse();
        assertThat(outage.current()).isEqualTo(new Outage.State(1_000, 2_000, 2));
    }

    @Test
    void isOverOnceWhenTheStoreAnswersAndHasNotFailedForAWhile() {
        outage.fails(1_000);
        outage.fails(2_000);
        assertThat(outage.answers(2_000 + CALM_MICROS - 1)).isNull();
        assertThat(outage.answers(2_000 + CALM_MICROS)).isEqualTo(new Outage.State(1_000, 2_000, 2));
        assertThat(outage.answers(2_000 + CALM_MICROS)).isNull();
        assertThat(outage.current()).isNull();
    }

    /** What answers now and then is one outage with one beginning. */
    @Test
    void goesOnWhileFailuresAndAnswersAlternate() {
        for (int i = 0; i < 100; i++) {
            long now = i * (CALM_MICROS - 1);
            assertThat(outage.fails(now)).isEqualTo(i == 0);
            assertThat(outage.answers(now + CALM_MICROS / 2)).isNull();
        }
        assertThat(outage.current()).isEqualTo(new Outage.State(0, 99 * (CALM_MICROS - 1), 100));
    }
}
