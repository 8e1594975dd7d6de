package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that remembers denials: {@link #known} repeats one, {@link #applyAsync} makes the call, and remembers what it is told.
 *
 * @param denials what all ledgers of the store remember
 * @param next returns the futures that callers get, so that cancelling one reaches it
 */
record RememberingLedger(Denials denials, String scope, Plan plan, Ledger next) implements AsyncLedger {

    @Override
    public @Nullable Decision known(String subject, Operation operation) {
        return operation instanceof Operation.Take take && take.maxWaitMicros() == 0
                ? denials.recall(new Key(scope, subject), plan, take.cost())
                : null;
    }

    @Override
    public boolean remembers() {
        return true;
    }

    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        Key key = new Key(scope, subject);
        if (operation instanceof Operation.Take take) {
            return take(key, take);
        }
        if (operation instanceof Operation.Peek) {
            return next.applyAsync(subject, operation);
        }
        denials.forget(key);
        return next.applyAsync(subject, operation).whenComplete((answer, failure) -> denials.forget(key));
    }

    private CompletableFuture<Decision> take(Key key, Operation.Take take) {
        Denials.Sent sent = denials.sent(key);
        CompletableFuture<Decision> answer = next.applyAsync(key.subject(), take);
        answer.whenComplete((decision, failure) -> {
            if (decision instanceof Decision.Allowed) {
                denials.granted(key);
            } else if (decision instanceof Decision.Denied denied) {
                denials.remember(key, plan, take.cost(), denied, sent);
            }
        });
        return answer;
    }
}
