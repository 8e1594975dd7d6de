package io.headgate.http.client;

import io.headgate.Decision;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The right to send one request, now. Exactly one of its methods is to be called; of later calls nothing happens. */
public final class OutgoingPermit {

    private final OutgoingLimiter limiter;
    private final String subject;
    private final Decision.@Nullable Allowed charge;
    private final @Nullable LearnedBudget budget;
    private final LearnedBudget.@Nullable Slot slot;
    private final AtomicBoolean over = new AtomicBoolean();

    OutgoingPermit(
            OutgoingLimiter limiter,
            String subject,
            Decision.@Nullable Allowed charge,
            @Nullable LearnedBudget budget,
            LearnedBudget.@Nullable Slot slot) {
        this.limiter = limiter;
        this.subject = subject;
        this.charge = charge;
        this.budget = budget;
        this.slot = slot;
    }

    /**
     * The server has answered.
     *
     * @param headers returns the value of the named header, several of them joined by commas, or {@code null}
     */
    public void answered(int status, Function<String, @Nullable String> headers) {
        if (over.compareAndSet(false, true) && slot != null && budget != null) {
            limiter.answered(subject, budget, slot, status, headers);
        }
    }

    /** The request was sent, but there will be no answer. */
    public void failed() {
        if (over.compareAndSet(false, true) && slot != null && budget != null) {
            budget.failed();
        }
    }

    /** The request was not sent: somebody else may send one. */
    public void giveBack() {
        if (over.compareAndSet(false, true)) {
            limiter.giveBack(charge, budget, slot);
        }
    }
}
