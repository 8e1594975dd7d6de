package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.TestTime;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.KeyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages are split and merged, and every cell stays. */
@Timeout(120)
class KeyTableTest {

    private static final Plan DAILY = Plan.parse("3/day");
    private static final Plan SHORT = Plan.parse("100/s");

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 1_000_000);

    private Decision apply(String subject, Plan plan, Operation operation) {
        return store.bind("api", plan).apply(subject, operation);
    }

    @Test
    void keepsEveryKeyWhileItGrowsAndShrinks() {
        for (int i = 0; i < 20_000; i++) {
            apply("key " + i, DAILY, new Operation.Take(3, 0));
        }
        assertThat(store.cells()).isEqualTo(20_000);
        assertThat(store.extent()).isBetween(20_000, 30_000);

        for (int i = 0; i < 20_000; i++) {
            if (i % 100 != 0) {
                apply("key " + i, DAILY, Operation.RESET);
            }
        }
        for (int i = 0; i < 1_000; i++) { // they walk the table
            apply("newcomer " + i, SHORT, Operation.ONE);
            time.advance(Duration.ofSeconds(1));
        }

        for (int i = 0; i < 20_000; i += 100) {
            assertThat(apply("key " + i, DAILY, Operation.ONE)).isInstanceOf(Decision.Denied.class);
        }
        assertThat(store.keys()).isEqualTo(store.cells()).isBetween(200, 300);
        assertThat(store.extent()).isLessThan(600);
    }

    @Test
    void shrinksItsOnlyPage() {
        for (int i = 0; i < KeyTable.FULL; i++) {
            apply("key " + i, SHORT, Operation.ONE);
        }
        time.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 600; i++) {
            apply("newcomer " + i, SHORT, Operation.ONE);
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(store.extent()).isLessThan(KeyTable.FULL / 4);
    }

    /** Whoever waits for a page while it is split finds the page that has replaced it. */
    @Test
    void changesThePageThatHasReplacedAnother() throws Exception {
        KeyCapacity capacity = new KeyCapacity(2 * KeyTable.FULL, new Sweep(dropped -> {}));
        KeyTable table = new KeyTable(time, capacity);
        for (int i = 0; i < KeyTable.FULL; i++) {
            capacity.take();
            table.addIfAbsent("key " + i, subject -> cell());
        }
        Cell added = cell();
        Cell successor = cell();
        List<Thread> waiting = List.of(
                new Thread(() -> table.remove("key 1", table.get("key 1"))),
                new Thread(() -> table.replace("key 2", table.get("key 2"), successor)),
                new Thread(() -> table.addIfAbsent("another", subject -> added)));
        capacity.take();
        capacity.take();

        table.addIfAbsent("the one too many", subject -> {
            waiting.forEach(Thread::start);
            while (!waiting.stream().allMatch(each -> each.getState() == Thread.State.BLOCKED)) {
                Thread.onSpinWait();
            }
            return cell();
        });
        for (Thread each : waiting) {
            each.join();
        }

        assertThat(table.get("key 1")).isNull();
        assertThat(table.get("key 2")).isSameAs(successor);
        assertThat(table.get("another")).isSameAs(added);
        assertThat(table.size()).isEqualTo(capacity.taken()).isEqualTo(KeyTable.FULL + 1);
    }

    private Cell cell() {
        return Cell.of(KeyState.fresh(new BoundPlan(SHORT, Headgate.algorithms()), time.nowMicros()), time.nowMicros());
    }

    /** Clients make up keys with equal hashes: no page of them is split in vain, and nothing of it stays. */
    @Test
    void isNotBlownUpByKeysWithEqualHashes() {
        List<String> subjects = List.of("");
        while (subjects.size() < 4_096) {
            subjects = subjects.stream()
                    .flatMap(each -> IntStream.range(0, 2).mapToObj(i -> each + (i == 0 ? "Aa" : "BB")))
                    .toList();
        }
        assertThat(subjects.stream().mapToInt(String::hashCode).distinct()).hasSize(1);

        subjects.forEach(subject -> apply(subject, SHORT, Operation.ONE));
        assertThat(store.extent()).isBetween(4_096, 4_096 + 64);
        time.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 2_000; i++) {
            apply("newcomer " + i, SHORT, Operation.ONE);
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(store.extent()).isLessThan(64);
    }

    /** Exact counts while threads make the table grow, and sweep it small again. */
    @Test
    void losesNoChargeWhilePagesAreSplitAndMerged() throws Exception {
        int threads = 8;
        int keys = 1_000;
        AtomicIntegerArray granted = new AtomicIntegerArray(keys);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int wave = 0; wave < Seeds.rounds(10); wave++) {
                int current = wave;
                List<Future<?>> running = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    int number = thread;
                    running.add(pool.submit(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            int key = (i * 7 + number * 31) % keys;
                            if (apply("key " + key, DAILY, Operation.ONE).allowed()) {
                                granted.incrementAndGet(key);
                            }
                            if (current % 2 == 0) {
                                String flood = "flood " + current + " " + number + " " + i;
                                apply(flood, SHORT, Operation.ONE);
                                if (i % 2 == 0) {
                                    apply(flood, SHORT, Operation.RESET);
                                }
                            }
                        }
                        return null;
                    }));
                }
                for (Future<?> each : running) {
                    each.get(100, TimeUnit.SECONDS);
                }
                time.advance(Duration.ofSeconds(
                        20)); // the flood is over; of the limited keys' budgets next to nothing returns
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(IntStream.range(0, keys).map(granted::get)).allMatch(count -> count == 3);
        assertThat(store.keys()).isEqualTo(store.cells());
    }
}
