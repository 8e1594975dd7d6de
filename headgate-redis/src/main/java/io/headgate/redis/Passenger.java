package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One operation that travels with others, and the answer to it. */
final class Passenger extends CompletableFuture<Decision> {

    final Plan plan;
    final Operation operation;

    /** Who came before while on the stack of a {@link Coalescer}, who comes after once in line. */
    @Nullable
    Passenger next;

    private boolean alone;
    private @Nullable Landing landing;

    Passenger(Plan plan, Operation operation) {
        this.plan = plan;
        this.operation = operation;
    }

    /** Nobody lands with it, to wake or to be woken. */
    void travelsAlone() {
        alone = true;
    }

    void land(Landing landing, Decision answer) {
        this.landing = landing;
        complete(answer);
    }

    void land(Landing landing, Throwable failure) {
        this.landing = landing;
        completeExceptionally(failure);
    }

    /** As {@link #join}, but the thread is woken by those who {@linkplain Landing landed} with it, and wakes others. */
    Decision await() {
        if (!alone && !isDone() && Sleeper.canBeThisThread()) {
            Sleeper sleeper = new Sleeper();
            whenComplete((answer, failure) -> wake(sleeper));
            sleeper.sleep();
        }
        return join();
    }

    private void wake(Sleeper sleeper) {
        Landing together = landing;
        if (together != null && together.isOurs()) {
            together.add(sleeper);
        } else {
            sleeper.wake(null); // it was done just before, or somebody has cancelled it
        }
    }
}
