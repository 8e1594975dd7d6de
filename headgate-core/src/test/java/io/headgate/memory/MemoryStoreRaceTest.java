package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.InterleavedThreads;
import io.headgate.InterleavingTime;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that take turns at every reading of the time, which lies between a state and the write that replaces it. */
@Timeout(120)
class MemoryStoreRaceTest {

    private final Random random = Seeds.random(getClass());

    /**
     * Keys come and go, share a budget and leave it, while plans change and charges are given back: nobody ever holds more than the
     * limit.
     */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "fixed-window", "sliding-window"})
    void neverGrantsMoreThanTheLimitAtTheBound(String algorithm) {
        Plan[] plans = {
            Plan.of(Limit.parse("4/h").using(algorithm)),
            Plan.of(Limit.parse("4/min").using(algorithm))
        };
        for (int round = Seeds.rounds(150); round > 0; round--) {
            InterleavedThreads turns = new InterleavedThreads(random);
            MemoryStore store =
                    new MemoryStore(Headgate.algorithms(), new InterleavingTime("2026-03-01T00:00:00Z", turns), 2);
            Map<String, Long> held = new ConcurrentHashMap<>();
            Runnable caller = () -> {
                for (int i = 0; i < 12; i++) {
                    Key key = new Key("api", "key " + random.nextInt(3));
                    Plan plan = plans[random.nextInt(4) == 0 ? 1 : 0];
                    if (store.bind(key.scope(), plan).apply(key.subject(), Operation.ONE)
                            instanceof Decision.Allowed granted) {
                        held.merge(key.subject(), 1L, Long::sum);
                        if (random.nextInt(3) == 0) {
                            held.merge(key.subject(), -1L, Long::sum);
                            store.bind(key.scope(), plan).apply(key.subject(), new Operation.Refund(granted));
                        }
                    }
                }
            };

            turns.run(caller, caller, caller);

            assertThat(held.values()).allMatch(permits -> permits <= 4);
            assertThat(store.keys()).isEqualTo(store.cells()).isLessThanOrEqualTo(2);
        }
    }

    /** A key that is about to get room while another thread still charges it to the shared budget. */
    @Test
    void losesNoChargeWhenAKeyLeavesTheOverflow() {
        Plan plan = Plan.parse("3/h");
        for (int round = Seeds.rounds(300); round > 0; round--) {
            InterleavedThreads turns = new InterleavedThreads(random);
            MemoryStore store =
                    new MemoryStore(Headgate.algorithms(), new InterleavingTime("2026-03-01T00:00:00Z", turns), 1);
            Key other = new Key("api", "other");
            Key late = new Key("api", "late");
            store.bind(other.scope(), plan).apply(other.subject(), Operation.ONE);
            int[] granted = new int[1];
            Runnable caller = () -> {
                for (int i = 0; i < 4; i++) {
                    granted[0] += store.bind(late.scope(), plan)
                                    .apply(late.subject(), Operation.ONE)
                                    .allowed()
                            ? 1
                            : 0;
                }
            };

            turns.run(caller, caller, () -> store.bind(other.scope(), plan).apply(other.subject(), Operation.RESET));

            assertThat(granted[0]).isLessThanOrEqualTo(3);
        }
    }

    /** The cell may be moved to another plan just when it is to be forgotten. */
    @Test
    void losesNoResetWhileThePlanChanges() {
        Plan[] plans = {Plan.parse("4/h"), Plan.parse("6/h")};
        Key key = new Key("api", "alice");
        for (int round = Seeds.rounds(300); round > 0; round--) {
            InterleavedThreads turns = new InterleavedThreads(random);
            MemoryStore store =
                    new MemoryStore(Headgate.algorithms(), new InterleavingTime("2026-03-01T00:00:00Z", turns), 4);
            store.bind(key.scope(), plans[0]).apply(key.subject(), new Operation.Take(3, 0));
            Runnable reload = () -> {
                for (int i = 0; i < 4; i++) {
                    store.bind(key.scope(), plans[i % 2]).apply(key.subject(), Operation.PEEK);
                }
            };

            turns.run(() -> store.bind(key.scope(), plans[0]).apply(key.subject(), Operation.RESET), reload, reload);

            assertThat(store.bind(key.scope(), plans[0])
                            .apply(key.subject(), Operation.PEEK)
                            .remaining())
                    .isEqualTo(4);
            assertThat(store.keys()).isEqualTo(store.cells());
        }
    }
}
