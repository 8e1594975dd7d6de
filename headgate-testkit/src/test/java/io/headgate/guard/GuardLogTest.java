package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.StoreException.Reason;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An outage is written about when it begins and when it is over, however many requests meet it, with the duration that is shown. */
class GuardLogTest extends GuardFixture {

    private static final Logger LOGGER = Logger.getLogger(Guard.class.getName());

    private final List<String> written = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            written.add(entry.getLevel() + " " + MessageFormat.format(entry.getMessage(), entry.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
        LOGGER.setUseParentHandlers(false);
    }

    @AfterEach
    void leave() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    @Test
    void writesOneWarningAndOneFarewell() {
        settings = settings.openGrace(Duration.ofSeconds(2));
        Guard guard = guard();
        for (int outage = 0; outage < 2; outage++) {
            store.failWith(Reason.UNREACHABLE);
            for (int i = 0; i < 31; i++) {
                take(guard, FailurePolicy.OPEN, "10/min");
                passes("0.1s");
            }
            assertThat(guard.failingFor()).isEqualTo(Duration.ofMillis(3_100));
            store.work();
            for (int i = 0; i < 30; i++) {
                take(guard, FailurePolicy.OPEN, "10/min");
                passes("0.1s");
            }
        }
        List<String> each = List.of(
                "WARNING the store fails, and limiters go by their failure policy until it is back",
                "WARNING the store has failed for PT2S: what was open is limited in process from now on",
                "INFO the store is back; it had failed for PT4.3S, and 34 operations went without it");
        List<String> both = new ArrayList<>(each);
        both.addAll(each);
        assertThat(written).containsExactlyElementsOf(both);
    }

    /** Also without requests. */
    @Test
    void writesTheDurationThatWasShownLast() {
        store.canBeProbedAt(false);
        Guard guard = guard();
        store.failWith(Reason.UNREACHABLE);
        passes("10s");
        store.work();
        Duration shown = Duration.ZERO;
        for (int i = 0; i < 20 && !guard.failingFor().isZero(); i++) {
            shown = guard.failingFor();
            time.advanceMicros(Prober.LOOK_MICROS);
        }
        Duration length = shown.plus(Duration.ofMillis(250));
        assertThat(length).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
        assertThat(written)
                .containsExactly(
                        "WARNING the store fails, and limiters go by their failure policy until it is back",
                        "INFO the store is back; it had failed for " + length + ", and 0 operations went without it");
    }

    @Test
    void warnsWhenNobodySaidHowManyShareTheStore() {
        settings = GuardSettings.DEFAULT;
        guard();
        assertThat(written).singleElement().asString().contains("n of them up to n times the limit");
        settings = settings.instances(1);
        guard();
        assertThat(written).hasSize(1);
    }
}
