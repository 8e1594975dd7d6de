package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.InterleavedThreads;
import io.headgate.InterleavingTime;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.TestTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Known bug O2: which cells the sweep forgets, what it costs, and what it leaves behind. */
@Timeout(60)
class SweepTest {

    private static final Plan FIVE = Plan.parse("5/min");

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final AtomicInteger readings = new AtomicInteger();
    private MemoryStore store = store(1_000_000);

    private MemoryStore store(int maxKeys) {
        return new MemoryStore(
                Headgate.algorithms(),
                () -> {
                    readings.incrementAndGet();
                    return time.nowMicros();
                },
                maxKeys);
    }

    @AfterEach
    void keepsCount() {
        assertThat(store.keys()).isEqualTo(store.cells());
        assertThat(store.sweptScopes()).isEqualTo(store.scopes());
    }

    private Decision take(String scope, String subject, Plan plan) {
        return store.bind(scope, plan).apply(subject, Operation.ONE);
    }

    /** New keys, one per second: each is full again after twelve. */
    private void newcomers(String name, int count) {
        for (int i = 0; i < count; i++) {
            take("api", name + i, FIVE);
            time.advance(Duration.ofSeconds(1));
        }
    }

    /** The commonest case of all: every key is full again whenever it is looked at, and none is forgotten. */
    @EachAlgorithm
    void keepsKeysThatAreInUseAndBelowTheirLimit(String algorithm) {
        Plan plan = Plan.of(Limit.parse("100/s").using(algorithm));
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 16; i++) {
                assertThat(take("api", "key " + i, plan).allowed()).isTrue();
                time.advance(Duration.ofMillis(100));
            }
            assertThat(store.keys()).isEqualTo(16);
        }
    }

    @EachAlgorithm
    void forgetsKeysThatHaveBeenFullForAWhile(String algorithm) {
        Plan plan = Plan.of(Limit.parse("100/s").using(algorithm));
        for (int i = 0; i < 16; i++) {
            take("api", "key " + i, plan);
        }
        time.advance(Duration.ofSeconds(12));

        for (int i = 0; i < 16; i++) {
            take("api", "newcomer " + i, plan);
        }

        assertThat(store.keys()).isEqualTo(16);
    }

    /** Whoever has to make room for one key does not displace others that come back at once. */
    @Test
    void forgetsOneKeyForOneThatNeedsRoom() {
        store = store(20);
        for (int i = 0; i < 20; i++) {
            take("api", "key " + i, Plan.parse("100/s"));
        }
        time.advance(Duration.ofSeconds(1));

        assertThat(take("api", "newcomer", FIVE).allowed()).isTrue();

        assertThat(store.keys()).isEqualTo(20);
        assertThat(store.overflowDecisions()).isZero();
    }

    /** An attacker's flood costs those who come later nothing: neither time nor memory. */
    @Test
    void aNewKeyCostsTheSameBeforeAndAfterAFlood() {
        newcomers("before ", 100);
        readings.set(0);
        newcomers("also before ", 100);
        int before = readings.get();
        int extent = store.extent();
        for (int i = 0; i < 50_000; i++) {
            take("api", "flood " + i, FIVE);
        }
        assertThat(store.extent()).isGreaterThan(50_000);

        newcomers("after ", 20_000);

        readings.set(0);
        newcomers("long after ", 100);
        assertThat(readings.get()).isEqualTo(before).isLessThanOrEqualTo(100 * (Sweep.FEW + 3));
        assertThat(store.extent()).isLessThan(extent + 64);
        assertThat(store.keys()).isLessThan(50);
    }

    /** Scopes that came and went leave nothing that the walk would have to pass. */
    @Test
    void aNewKeyCostsTheSameBeforeAndAfterAFloodOfScopes() {
        newcomers("before ", 100);
        readings.set(0);
        newcomers("also before ", 100);
        int before = readings.get();
        for (int i = 0; i < 20_000; i++) {
            take("scope " + i, "key", FIVE);
        }
        assertThat(store.sweptScopes()).isEqualTo(20_001);

        newcomers("after ", 20_000);

        assertThat(store.scopes()).isEqualTo(1);
        assertThat(store.sweptScopes()).isEqualTo(1);
        readings.set(0);
        newcomers("long after ", 100);
        assertThat(readings.get()).isEqualTo(before);
    }

    /** When the flood has filled the store, its shared budgets are forgotten as well. */
    @Test
    void forgetsTheOverflowAfterAFlood() {
        store = store(1_000);
        for (int i = 0; i < 2_000; i++) {
            take("api", "flood " + i, FIVE);
        }
        assertThat(store.overflowCells()).isPositive();

        newcomers("after ", 1_000);

        assertThat(store.overflowCells()).isZero();
    }

    /** Known bug O8: a rule that was renamed leaves nothing behind once its clients are forgotten. */
    @Test
    void dropsAScopeThatNobodyUses() {
        for (int i = 0; i < 1_000; i++) {
            take("old name", "key " + i, FIVE);
        }
        newcomers("key ", 1_000);

        assertThat(store.scopes()).isEqualTo(1);
        assertThat(take("old name", "key 0", FIVE).remaining()).isEqualTo(4);
        assertThat(store.scopes()).isEqualTo(2);
    }

    @Test
    void keepsAScopeWhileAnybodyIsLimitedThere() {
        Plan daily = Plan.parse("1/day");
        take("old name", "alice", daily);
        newcomers("key ", 1_000);

        assertThat(store.scopes()).isEqualTo(2);
        assertThat(take("old name", "alice", daily)).isInstanceOf(Decision.Denied.class);
    }

    /** The scope is dropped just when its next keys arrive: they get one budget each, not two. */
    @Test
    void losesNoChargeWhenAScopeIsDropped() {
        Random random = Seeds.random(getClass());
        Plan plan = Plan.parse("2/h");
        int dropped = 0;
        for (int round = Seeds.rounds(500); round > 0; round--) {
            InterleavedThreads turns = new InterleavedThreads(random);
            InterleavingTime passing = new InterleavingTime("2026-03-01T00:00:00Z", turns);
            store = new MemoryStore(Headgate.algorithms(), passing, 100);
            take("old name", "key", FIVE);
            passing.advance(Duration.ofMinutes(1));
            IntStream.range(0, 4).forEach(i -> take("api", "early " + i, FIVE));
            passing.advance(Duration.ofSeconds(12));
            int before = store.scopes();
            AtomicInteger granted = new AtomicInteger();
            AtomicInteger fewest = new AtomicInteger(before);
            Runnable caller = () -> IntStream.range(0, 3)
                    .forEach(i ->
                            granted.addAndGet(take("old name", "alice", plan).allowed() ? 1 : 0));
            Runnable sweeper = () -> IntStream.range(0, 4).forEach(i -> {
                take("api", "late " + i, FIVE);
                fewest.accumulateAndGet(store.scopes(), Math::min);
            });

            turns.run(caller, sweeper, caller);

            assertThat(before).isEqualTo(2);
            assertThat(granted).hasValue(2);
            keepsCount();
            dropped += before - fewest.get();
        }
        assertThat(dropped).as("rounds in which the scope was dropped").isPositive();
    }
}
