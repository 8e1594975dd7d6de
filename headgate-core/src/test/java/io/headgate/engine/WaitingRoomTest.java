package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is served when, and who is denied at once. */
class WaitingRoomTest extends WaitingRoomFixture {

    @Test
    void grantsAtOnceWhatIsThere() throws Exception {
        assertThat(limiter("2/min", "token-bucket").acquire("alice", 2, HOUR).allowed())
                .isTrue();
        assertThat(limiter("2/min", "fixed-window").acquire("bob", 2, HOUR).allowed())
                .isTrue();
    }

    @EachAlgorithm
    void servesThoseWhoWaitInTheOrderTheyCame(String algorithm) {
        LedgerLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<Decision>> waiters = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            int number = i;
            waiters.add(limiter.acquireAsync("alice", 1 + i % 2, HOUR));
            waiters.get(i).thenRun(() -> served.add(number));
        }
        assertThat(served).isEmpty();

        time.advance(Duration.ofMinutes(5));

        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6);
        waiters.forEach(WaitingRoomFixture::assertGranted);
    }

    @Test
    void givesEachWaiterOfABucketItsOwnSlot() {
        LedgerLimiter limiter = limiter("1/s", "token-bucket");
        limiter.tryAcquire("alice");
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, 3)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();
        assertThat(limiter.waitingRoom.isEmpty()).isTrue();

        for (CompletableFuture<Decision> waiter : waiters) {
            time.advance(999_999);
            assertWaits(waiter);
            time.advance(1);
            assertGranted(waiter);
        }
    }

    @Test
    void keepsTheLinesOfKeysApart() {
        LedgerLimiter limiter = limiter("1/min", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        assertGranted(limiter.acquireAsync("bob", 1, HOUR));
        assertWaits(waiter);
        waiter.cancel(false);
    }

    /** Known bug A6: a large request is not overtaken for ever by small ones. */
    @Test
    void doesNotLetSmallRequestsOvertakeALargeOne() {
        LedgerLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 4, HOUR);
        CompletableFuture<Decision> small = limiter.acquireAsync("alice", 1, HOUR);

        time.advance(Duration.ofMillis(8_999));
        assertWaits(large);
        assertWaits(small);
        time.advance(Duration.ofMillis(1));
        assertGranted(large);
        assertWaits(small);
        time.advance(Duration.ofSeconds(10));
        assertGranted(small);
    }

    /** Known bug A7. */
    @EachAlgorithm
    void answersAtOnceWhenTheWaitIsTooLong(String algorithm) {
        LedgerLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Duration wait = ((Decision.Denied) limiter.peek("alice")).retryAfter();

        assertThat(denied(limiter.acquireAsync("alice", 1, wait.minusNanos(1_000)))
                        .retryAfter())
                .isEqualTo(wait);
        CompletableFuture<Decision> patient = limiter.acquireAsync("alice", 1, wait);
        assertWaits(patient);
        time.advance(wait);
        assertGranted(patient);
    }

    /** Known bug A7: also when it is those ahead that take too long. */
    @Test
    void answersAtOnceWhenThoseAheadWillTakeTooLong() {
        LedgerLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 2, HOUR);

        Decision.Denied denied = denied(limiter.acquireAsync("alice", 1, Duration.ofMillis(7_999)));
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(8));

        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(8));
        time.advance(Duration.ofSeconds(7));
        assertGranted(first);
        assertWaits(second);
        time.advance(Duration.ofSeconds(1));
        assertGranted(second);
    }

    /** Known bug C4. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void answersAtOnceWhatCanNeverBe(String algorithm) {
        LedgerLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);

        assertThat(limiter.acquireAsync("alice", 3, HOUR))
                .isCompletedWithValueMatching(Decision.Impossible.class::isInstance);
        head.cancel(false);
        assertThat(limiter.acquireAsync("alice", 3, HOUR))
                .isCompletedWithValueMatching(Decision.Impossible.class::isInstance);
    }

    @Test
    void neverWaitsLongerThanItSaidItWould() {
        LedgerLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 4, HOUR);
        CompletableFuture<Decision> small = limiter.acquireAsync("alice", 1, Duration.ofMillis(9_500));
        time.advance(Duration.ofMillis(8_900));
        assertThat(limiter.tryAcquire("alice").allowed()).isTrue(); // and so the large one has to wait again

        time.advance(Duration.ofMillis(599));
        assertWaits(small);
        time.advance(Duration.ofMillis(1));
        assertThat(denied(small).remaining()).as("kept for the large one").isEqualTo(3);
        assertWaits(large);
        time.advance(Duration.ofSeconds(10));
        assertGranted(large);
    }

    @Test
    void takesAtTheLastMomentWhatIsEnoughForAll() {
        LedgerLimiter limiter = limiter("4/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 4);
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 2, HOUR);
        time.advance(Duration.ofSeconds(5));
        CompletableFuture<Decision> hasty = limiter.acquireAsync("alice", 1, Duration.ofSeconds(5));
        time.advance(Duration.ofMillis(4_900));
        limiter.reset("alice");
        limiter.tryAcquire("alice", 1);
        assertWaits(head);

        time.advance(Duration.ofMillis(100));
        assertGranted(hasty);
        assertGranted(head);
        assertThat(limiter.peek("alice").remaining()).isZero();
    }

    /** Known bug A6: the wait that the store names is long enough; nobody has to wait again. */
    @EachAlgorithm
    void asksAgainOnlyOnce(String algorithm) {
        List<Operation> asked = new ArrayList<>();
        Key key = new Key("api", "alice");
        Plan plan = Plan.of(Limit.parse("9/10s").using(algorithm));
        LedgerLimiter limiter = limiter(
                new ScriptedStore(operation -> {
                    asked.add(operation);
                    return memory.bind(key.scope(), plan).applyAsync(key.subject(), operation);
                }),
                "9/10s",
                algorithm);
        limiter.tryAcquire("alice", 4);
        time.advance(Duration.ofMillis(777));
        limiter.tryAcquire("alice", 5);
        asked.clear();

        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 7, HOUR);
        time.advance(Duration.ofMinutes(1));

        assertGranted(waiter);
        assertThat(asked).hasSize(algorithm.endsWith("-bucket") ? 1 : 2);
    }
}
