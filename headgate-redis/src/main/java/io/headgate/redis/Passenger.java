package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One operation that travels with others, and the answer to it. A thread that waits for it with {@link #join} or a timed
 * {@link #get(long, TimeUnit) get} is woken by those who {@linkplain Landing landed} with it.
 */
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

    /** Nobody lands with it: whoever joins it is woken as by any other future. */
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

    @Override
    public Decision join() {
        Sleeper sleeper = alone ? null : sleeper();
        if (sleeper != null) {
            sleeper.sleep();
        }
        return super.join();
    }

    @Override
    public Decision get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Sleeper sleeper = sleeper();
        if (sleeper == null) {
            return super.get(timeout, unit);
        }
        sleeper.sleep(unit.toNanos(timeout));
        return super.get(0, unit);
    }

    /** Nothing if there is nothing to wait for, or if the pool of this thread wants to know that it waits. */
    private @Nullable Sleeper sleeper() {
        if (isDone() || Thread.currentThread() instanceof ForkJoinWorkerThread) {
            return null;
        }
        Sleeper sleeper = new Sleeper();
        whenComplete((answer, failure) -> wake(sleeper));
        return sleeper;
    }

    private void wake(Sleeper sleeper) {
        Landing together = landing;
        if (together != null && together.isOurs()) {
            together.add(sleeper);
        } else {
            sleeper.wake(null); // somebody has cancelled it
        }
    }
}
