package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.TimeSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** A request reads the time before the state, and once more if somebody else wrote the state meanwhile. */
class RequestTimeTest {

    private static final long NOON = 1_772_366_400_000_000L;
    private static final long HOUR = 3_600_000_000L;

    private final Map<String, Plan> plans = new HashMap<>();
    private final Readings time = new Readings();
    private final MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 10);

    private Decision take(String algorithm, long... readings) {
        for (long reading : readings) {
            time.next.add(reading);
        }
        return store.bind("api", plans.computeIfAbsent(algorithm, RequestTimeTest::plan))
                .apply("alice", Operation.ONE);
    }

    private static Plan plan(String algorithm) {
        return Plan.of(Limit.parse("1/s").using(algorithm));
    }

    @EachAlgorithm
    void readsTheTimeOnce(String algorithm) {
        take(algorithm, NOON, NOON);
        time.next.clear();

        assertThat(take(algorithm, NOON + HOUR).allowed()).isTrue();
    }

    /** Between the two readings another thread would have written the state. */
    @EachAlgorithm
    void readsTheTimeAgainIfTheStateIsAhead(String algorithm) {
        take(algorithm, NOON, NOON);
        time.next.clear();

        assertThat(take(algorithm, NOON - 1, NOON + HOUR).allowed()).isTrue();
        assertThat(time.next).isEmpty();
    }

    @EachAlgorithm
    void grantsNothingWhenTheClockReallySteppedBack(String algorithm) {
        take(algorithm, NOON, NOON);
        time.next.clear();

        assertThat(take(algorithm, NOON - HOUR, NOON - HOUR, NOON - HOUR)).isInstanceOf(Decision.Denied.class);
    }

    /** Tells what it was given, one after the other. */
    private static final class Readings implements TimeSource {

        final Queue<Long> next = new ArrayDeque<>();

        @Override
        public long nowMicros() {
            return next.remove();
        }
    }
}
