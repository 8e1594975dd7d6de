package io.headgate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SightingsTest {

    private static final long NOW = 1_790_000_000_000_000L;
    private static final byte[] ALICE = name("alice");

    private final Sightings sightings = new Sightings();

    private static byte[] name(String subject) {
        return ("rl:" + subject).getBytes(US_ASCII);
    }

    private static long after(Duration time) {
        return NOW + time.toNanos() / 1_000;
    }

    /** @param now also just before the count of time units overflows, once upwards and once back to nothing */
    @ParameterizedTest
    @ValueSource(longs = {NOW, ((1L << 31) << 16) - 1, ((1L << 32) << 16) - 1})
    void aNameIsSeenForAsLongAsItsStateIsKept(long now) {
        assertThat(sightings.has(ALICE, now)).isFalse();
        sightings.note(ALICE, now, Duration.ofSeconds(2));
        assertThat(sightings.has(ALICE, now)).isTrue();
        assertThat(sightings.has(name("bob"), now)).isFalse();
        assertThat(sightings.has(ALICE, now + 2_800_000)).isTrue();
        assertThat(sightings.has(ALICE, now + 3_000_000)).isFalse();
    }

    @Test
    void aYearCountsAsADay() {
        sightings.note(ALICE, NOW, Duration.ofDays(100_000_000));
        assertThat(sightings.has(ALICE, after(Duration.ofHours(23)))).isTrue();
        assertThat(sightings.has(ALICE, after(Duration.ofHours(25)))).isFalse();
    }

    @Test
    void whatIsForgottenIsNotSeen() {
        sightings.note(ALICE, NOW, Duration.ofMinutes(1));
        sightings.forget(ALICE);
        assertThat(sightings.has(ALICE, NOW)).isFalse();
    }

    /** Many more names than places: some are forgotten, and hardly one that was never seen is taken for another. */
    @Test
    void namesThatShareAPlaceAreToldApart() {
        for (int i = 0; i < 300_000; i++) {
            sightings.note(name("seen-" + i), NOW, Duration.ofMinutes(1));
        }
        int mistaken = 0;
        for (int i = 0; i < 300_000; i++) {
            mistaken += sightings.has(name("never-" + i), NOW) ? 1 : 0;
        }
        assertThat(mistaken).isLessThan(100);
        assertThat(sightings.has(name("seen-299999"), NOW)).isTrue();
    }
}
