package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A store that answers late: nobody is served twice, and nothing is kept of whoever has gone. */
class WaitingRoomSlowStoreTest extends WaitingRoomFixture {

    /** Known bug A5: while the store has not even answered. */
    @Test
    void givesBackAGrantThatComesAfterTheWaiterHasGone() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "2/10s", "token-bucket");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> now = limiter.acquireAsync("alice", 1, Duration.ZERO);

        head.cancel(false);
        now.cancel(false);
        slow.answerAll();

        assertThat(limiter.peek("alice").remaining()).isEqualTo(2);
    }

    @Test
    void servesTheNextWhenAHeadWasCancelledBeforeItsAnswer() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "2/10s", "sliding-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 2, HOUR);
        CompletableFuture<Decision> next = limiter.acquireAsync("alice", 2, HOUR);

        head.cancel(false);
        slow.answerAll();
        time.advance(Duration.ofSeconds(30));
        slow.answerAll();

        assertGranted(next);
    }

    /** Between the question and the answer everything may have changed; nobody is charged twice for it. */
    @Test
    void isServedOnceEvenIfItsTimeIsOverWhileItIsServed() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "10/10s", "token-bucket");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        slow.answerAll();
        slow.answerAll();
        assertGranted(head);
        time.advance(Duration.ofSeconds(1));
        slow.answerAll();

        assertGranted(second);
        assertThat(limiter.peek("alice").remaining()).isEqualTo(9);
    }

    /** The head has been granted what it wants, but does not know yet: that is not wanted a second time. */
    @Test
    void takesWhatIsThereWhenOnlyTheAnswerOfTheHeadIsLate() {
        List<Runnable> late = new ArrayList<>();
        Plan plan = Plan.of(Limit.parse("2/10s").using("fixed-window"));
        LedgerLimiter limiter = limiter(
                new ScriptedStore(operation -> {
                    Decision decision = memory.bind("api", plan).apply("alice", operation);
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    if (late.isEmpty()) {
                        late.add(() -> answer.complete(decision));
                    } else {
                        answer.complete(decision);
                    }
                    return answer;
                }),
                "2/10s",
                "fixed-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));

        time.advance(Duration.ofSeconds(1));
        assertGranted(second);
        assertWaits(head);
        late.get(0).run();
        assertGranted(head);
    }

    @Test
    void looksAgainWhenThoseAheadHaveLeftMeanwhile() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        slow.answerAll();
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 2, HOUR);
        slow.answerAll();
        CompletableFuture<Decision> third = limiter.acquireAsync("alice", 1, Duration.ofSeconds(8));

        second.cancel(false);
        slow.answerAll(); // that all three would take 9 s
        assertWaits(third);
        for (int i = 0; i < 8; i++) {
            time.advance(Duration.ofSeconds(1));
            slow.answerAll();
        }

        assertGranted(head);
        assertGranted(third);
    }

    /** Known bug A5: a slot is given back even if it is known only after the waiter has gone. */
    @Test
    void givesBackASlotThatComesAfterTheWaiterHasGone() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "2/10s", "token-bucket");
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        waiter.cancel(false);
        slow.answerAll();
        slow.answerAll();

        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    @Test
    void asksForAllWithoutCountingTwiceTheOneThatIsBeingServed() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, "2/10s", "fixed-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        slow.answerAll();

        assertGranted(head);
        assertGranted(second);
    }
}
