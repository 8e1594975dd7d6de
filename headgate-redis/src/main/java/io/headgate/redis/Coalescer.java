package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent operations on one key travel together.
 *
 * <p>The first goes out at once. While its call is under way further ones wait in line; when it has landed they go as one call,
 * at most {@link #MOST} of them, applied in order at one time; and so on, until nobody waits and the line is gone. So what
 * this process asks of a key happens in the order it was asked, resets and refunds included, and a busy key has one call under
 * way whatever the number of callers. A reset is the last of its call, since charges before and after it are told apart by their
 * time. A call that fails fails for everybody on it; those in line get a call of their own. Operations that are not
 * {@linkplain Backend#isOneCall one call} together go one by one, so that each fails for itself.
 *
 * <p>Cancelling a future while it waits in line takes the operation out of it. Once it is on its way it is carried out all the
 * same, and whoever may lose interest must keep the future and refund the grant that arrives.
 *
 * <p>A line is in the map exactly while a call of its key is under way. Newcomers push themselves onto its stack. Whoever
 * lands the call owns the line until the next call is sent, and is the only one to take from it: it takes the whole
 * stack, puts it in order behind those left over, and sends the next call before it hands out the answers of the last. If
 * nobody is there it closes the stack with one compare-and-set, so that no newcomer can be left behind; one that
 * meets a closed line starts another. Nothing is locked, and a backend that answers at once is served in a loop.
 */
final class Coalescer implements Lane {

    /** How many operations one call carries. */
    static final int MOST = 64;

    private static final VarHandle TOP;
    private static final VarHandle PHASE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(Line.class, "top", Passenger.class);
            PHASE = lookup.findVarHandle(Call.class, "phase", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Backend backend;
    private final ConcurrentHashMap<Key, Line> lines = new ConcurrentHashMap<>();

    Coalescer(Backend backend) {
        this.backend = backend;
    }

    @Override
    public CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation) {
        Passenger passenger = new Passenger(plan, operation);
        while (true) {
            Line mine = new Line(key);
            Line present = lines.putIfAbsent(key, mine);
            if (present == null) {
                passenger.travelsAlone();
                Call call = new Call(mine, List.of(passenger));
                if (!call.send()) {
                    goOn(call);
                }
                return passenger;
            }
            if (present.join(passenger)) {
                return passenger;
            }
            lines.remove(key, present); // closed: its owner is about to do the same
        }
    }

    /** How many keys have a call under way. */
    int busyKeys() {
        return lines.size();
    }

    /** Sends whoever waits and settles the call that has landed; goes on as long as calls land at once. */
    private void goOn(Call landed) {
        Call last = landed;
        while (true) {
            Call next = next(last.line);
            boolean away = next != null && next.send();
            last.settle();
            if (next == null || away) {
                return;
            }
            last = next;
        }
    }

    private @Nullable Call next(Line line) {
        while (true) {
            List<Passenger> aboard = line.board(this::isOneCall);
            if (!aboard.isEmpty()) {
                return new Call(line, aboard);
            }
            if (line.close()) {
                lines.remove(line.key, line);
                return null;
            }
        }
    }

    /** A plan that is refused is not: each of its operations is told so. */
    private boolean isOneCall(Plan plan) {
        try {
            return backend.isOneCall(plan);
        } catch (Throwable e) { // its call says the same
            return false;
        }
    }

    /** Who waits for the call that is under way. */
    private static final class Line {

        /** In place of the top of a stack that nobody will take from any more. */
        private static final Passenger CLOSED = new Passenger(Plan.parse("1/s"), Operation.ONE);

        final Key key;

        private volatile @Nullable Passenger top;

        // The owner's: those it has taken off the stack and not yet sent, in order.
        private @Nullable Passenger first;
        private @Nullable Passenger last;

        Line(Key key) {
            this.key = key;
        }

        /** False if the line is closed. */
        boolean join(Passenger passenger) {
            while (true) {
                Passenger above = top;
                if (above == CLOSED) {
                    return false;
                }
                passenger.next = above;
                if (TOP.compareAndSet(this, above, passenger)) {
                    return true;
                }
            }
        }

        /** False if somebody has come. */
        boolean close() {
            return TOP.compareAndSet(this, null, CLOSED);
        }

        /** The next ones under the same plan who still want an answer; empty if nobody does. */
        List<Passenger> board(Predicate<Plan> isOneCall) {
            line();
            List<Passenger> aboard = List.of();
            while (first != null && aboard.size() < MOST) {
                Passenger next = first;
                if (!next.isDone()) {
                    if (aboard.isEmpty()) {
                        aboard = new ArrayList<>();
                    } else if (!next.plan.equals(aboard.get(0).plan)
                            || (aboard.size() == 1 && !isOneCall.test(next.plan))) {
                        break;
                    }
                    aboard.add(next);
                }
                first = next.next;
                next.next = null;
                if (next.operation instanceof Operation.Reset) {
                    break;
                }
            }
            return aboard;
        }

        /** Takes the stack, whose top came last, and appends it in the order they came. */
        private void line() {
            Passenger latest = (Passenger) TOP.getAndSet(this, null);
            Passenger earliest = null;
            for (Passenger each = latest; each != null; ) {
                Passenger before = each.next;
                each.next = earliest;
                earliest = each;
                each = before;
            }
            if (first == null) {
                first = earliest;
            } else if (last != null) {
                last.next = earliest;
            }
            last = latest != null ? latest : last;
        }
    }

    /** One call to the backend and who is on it. */
    private final class Call implements BiConsumer<@Nullable List<Decision>, @Nullable Throwable> {

        private static final int SENDING = 0;
        private static final int AWAY = 1;
        private static final int LANDED = 2;

        final Line line;

        private final List<Passenger> passengers;
        private @Nullable List<Decision> decisions;
        private @Nullable Throwable failure;

        @SuppressWarnings("UnusedVariable") // through its handle
        private volatile int phase = SENDING;

        Call(Line line, List<Passenger> passengers) {
            this.line = line;
            this.passengers = passengers;
        }

        /** True if it lands later, and whoever lands it goes on; false if it has landed already. */
        boolean send() {
            run().whenComplete(this);
            return PHASE.compareAndSet(this, SENDING, AWAY);
        }

        private CompletableFuture<List<Decision>> run() {
            try {
                List<Operation> operations = passengers.size() == 1
                        ? List.of(passengers.get(0).operation)
                        : passengers.stream().map(each -> each.operation).toList();
                return backend.run(line.key, passengers.get(0).plan, operations);
            } catch (Throwable e) { // whatever it is, the line must not wait for ever
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void accept(@Nullable List<Decision> decisions, @Nullable Throwable failure) {
            this.decisions = decisions;
            this.failure = failure;
            if (!PHASE.compareAndSet(this, SENDING, LANDED)) {
                goOn(this);
            }
        }

        void settle() {
            Landing landing = new Landing();
            try {
                settle(landing);
            } finally {
                landing.wake();
            }
        }

        private void settle(Landing landing) {
            List<Decision> answers = decisions;
            if (answers != null && answers.size() == passengers.size()) {
                for (int i = 0; i < passengers.size(); i++) {
                    passengers.get(i).land(landing, answers.get(i));
                }
                return;
            }
            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure != null
                            ? failure
                            : new StoreException(passengers.size() + " operations were answered by " + answers);
            for (Passenger each : passengers) {
                each.land(landing, cause);
            }
        }
    }
}
