package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

    private final ManualTime time = new ManualTime();
    private final long start = time.nowMicros();

    @Test
    void standsStillUntilItIsMoved() {
        assertThat(time.now()).isEqualTo(ManualTime.START);
        assertThat(time.nowMicros()).isEqualTo(start);

        time.advance(Duration.ofMillis(3));

        assertThat(time.nowMicros()).isEqualTo(start + 3_000);
        assertThat(time.now()).isEqualTo(ManualTime.START.plusMillis(3));
    }

    @Test
    void wakesWhoeverWaitsInTheOrderOfTheirTimesAndAtExactlyThose() {
        List<String> woken = new ArrayList<>();
        time.after(30).thenRun(() -> woken.add("late at " + (time.nowMicros() - start)));
        time.after(10).thenRun(() -> woken.add("early at " + (time.nowMicros() - start)));
        time.after(10).thenRun(() -> woken.add("next at " + (time.nowMicros() - start)));
        time.after(31).thenRun(() -> woken.add("too late"));

        time.advanceMicros(30);

        assertThat(woken).containsExactly("early at 10", "next at 10", "late at 30");
        assertThat(time.waiting()).isEqualTo(1);
    }

    @Test
    void wakesWhoeverStartsToWaitOnTheWay() {
        List<Long> woken = new ArrayList<>();
        time.after(10).thenCompose(ignored -> time.after(10)).thenRun(() -> woken.add(time.nowMicros() - start));

        time.advanceMicros(100);

        assertThat(woken).containsExactly(20L);
        assertThat(time.nowMicros()).isEqualTo(start + 100);
    }

    @Test
    void canBeMovedByWhoeverItWakes() {
        time.after(10).thenRun(() -> time.advanceMicros(5));

        time.advanceMicros(10);

        assertThat(time.nowMicros()).isEqualTo(start + 15);
    }

    @Test
    void forgetsWhoeverNoLongerWaits() {
        CompletableFuture<Void> waiter = time.after(10);

        waiter.cancel(false);

        assertThat(time.waiting()).isZero();
    }

    @Test
    void makesNobodyWaitForThePast() {
        assertThat(time.after(0)).isCompleted();
        assertThat(time.after(-1)).isCompleted();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void stepsBackWithoutWakingAnybody() {
        CompletableFuture<Void> waiter = time.after(10);

        time.stepBack(Duration.ofSeconds(1));

        assertThat(time.nowMicros()).isEqualTo(start - 1_000_000);
        time.advanceMicros(1_000_009);
        assertThat(waiter).isNotDone();
        time.advanceMicros(1);
        assertThat(waiter).isCompleted();
    }

    @Test
    void isSetToAnyMoment() {
        time.set(Instant.EPOCH.plusSeconds(1));
        assertThat(time.nowMicros()).isEqualTo(1_000_000);
        time.set(ManualTime.START);
        assertThat(time.nowMicros()).isEqualTo(start);
    }

    @Test
    void rejectsAdvancingBackwards() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> time.advanceMicros(-1))
                .withMessage("time advances, not by -1 us; stepBack moves it back");
        assertThatIllegalArgumentException().isThrownBy(() -> time.stepBack(Duration.ofSeconds(-1)));
    }
}
