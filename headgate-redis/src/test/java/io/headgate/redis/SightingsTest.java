package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Key;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SightingsTest {

    private static final long NOW = 1_790_000_000_000_000L;
    private static final Key ALICE = new Key("login", "alice");

    private final Sightings sightings = new Sightings();

    @Test
    void aKeyIsSeenUntilItsBudgetIsFull() {
        sightings.time(NOW);
        assertThat(sightings.has(ALICE)).isFalse();
        sightings.note(ALICE, Duration.ofSeconds(2));
        assertThat(sightings.has(ALICE)).isTrue();
        assertThat(sightings.has(new Key("login", "bob"))).isFalse();

        sightings.time(NOW + 1_900_000);
        assertThat(sightings.has(ALICE)).isTrue();
        sightings.time(NOW + 2_000_000);
        assertThat(sightings.has(ALICE)).isFalse();
    }

    @Test
    void aMomentIsNotWorthNoting() {
        sightings.time(NOW);
        sightings.note(ALICE, Duration.ZERO);
        assertThat(sightings.has(ALICE)).isFalse();
    }

    @Test
    void aYearCountsAsADay() {
        sightings.time(NOW);
        sightings.note(ALICE, Duration.ofDays(100_000_000));
        sightings.time(NOW + Duration.ofHours(23).toNanos() / 1_000);
        assertThat(sightings.has(ALICE)).isTrue();
        sightings.time(NOW + Duration.ofHours(25).toNanos() / 1_000);
        assertThat(sightings.has(ALICE)).isFalse();
    }

    @Test
    void whatIsForgottenIsNotSeen() {
        sightings.time(NOW);
        sightings.note(ALICE, Duration.ofMinutes(1));
        sightings.forget(ALICE);
        assertThat(sightings.has(ALICE)).isFalse();
    }

    /** Many more keys than places: some are forgotten, and none that was never seen is taken for another. */
    @Test
    void keysThatShareAPlaceAreToldApart() {
        sightings.time(NOW);
        for (int i = 0; i < 300_000; i++) {
            sightings.note(new Key("a", "seen-" + i), Duration.ofMinutes(1));
        }
        int mistaken = 0;
        for (int i = 0; i < 300_000; i++) {
            mistaken += sightings.has(new Key("a", "never-" + i)) ? 1 : 0;
        }
        assertThat(mistaken).isLessThan(100);
        assertThat(sightings.has(new Key("a", "seen-299999"))).isTrue();
    }
}
