package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What ends the memory of a denial before its time. */
class ForgottenDenialsTest extends DenialsFixture {

    @Test
    void isForgottenByAReset() {
        spendAll();
        check(PLAN, Operation.RESET);
        assertThat(take(1).allowed()).isTrue();
    }

    @Test
    void isForgottenByARefund() {
        Decision.Allowed receipt = (Decision.Allowed) take(10);
        take(1);
        check(PLAN, new Operation.Refund(receipt));
        assertThat(take(1).allowed()).isTrue();
    }

    /** Known bug A11: a raised limit counts at once. */
    @Test
    void isNotServedUnderAnotherPlan() {
        spendAll();
        Plan raised = Plan.parse("20/s");
        assertThat(check(raised, Operation.ONE).allowed()).isTrue();
        take(1);
        assertThat(calls()).isEqualTo(2);
        assertThat(check(Plan.parse("10/s"), Operation.ONE).allowed()).isFalse();
        assertThat(calls()).isEqualTo(2); // the same plan by value
    }

    /** In flight while a reset is sent: judged before it, answered after it. */
    @Test
    void aDenialFromBeforeAResetIsNotRememberedAfterIt() {
        take(10);
        redis.holds = true;
        CompletableFuture<Decision> denied = ledger.applyAsync(KEY.subject(), Operation.ONE);
        redis.carryOut();
        CompletableFuture<Decision> reset = ledger.applyAsync(KEY.subject(), Operation.RESET);
        redis.carryOut();
        FakeRedis.Call late = redis.done.remove();
        redis.answer();
        reset.join();
        late.answer.complete(late.decisions);
        assertThat(denied.join().allowed()).isFalse();
        redis.holds = false;
        assertThat(take(1).allowed()).isTrue();
    }

    /** Sent after the reset was, but judged before it: on another connection, or after a redirection. */
    @Test
    void aDenialThatOvertookAResetIsNotRememberedAfterIt() {
        take(10);
        redis.holds = true;
        CompletableFuture<Decision> reset = ledger.applyAsync(KEY.subject(), Operation.RESET);
        FakeRedis.Call held = redis.sent.remove();
        CompletableFuture<Decision> denied = ledger.applyAsync(KEY.subject(), Operation.ONE);
        redis.carryOutAndAnswer();
        assertThat(denied.join().allowed()).isFalse();
        redis.sent.add(held);
        redis.carryOutAndAnswer();
        reset.join();
        redis.holds = false;
        assertThat(take(1).allowed()).isTrue();
    }

    /** Whoever asks after a reset is not answered from before it, although the reset is still under way. */
    @Test
    void isForgottenAsSoonAsAResetIsSent() {
        spendAll();
        redis.holds = true;
        ledger.applyAsync(KEY.subject(), Operation.RESET);
        assertThat(ledger.known(KEY.subject(), Operation.ONE)).isNull();
    }

    /** Whoever depends on the reset's future finds the denial forgotten. */
    @Test
    void isForgottenBeforeTheResetIsAnswered() {
        spendAll();
        redis.holds = true;
        CompletableFuture<Decision> known = ledger.applyAsync(KEY.subject(), Operation.RESET)
                .thenApply(done -> ledger.known(KEY.subject(), Operation.ONE));
        redis.settle();
        assertThat(known.join()).isNull();
    }
}
