package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Standing;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.engine.Grant;
import io.headgate.engine.Standings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the reply of a script into decisions. It applies the operations of the call once more, here, to the states that the script
 * found, at the time of the script. For each {@link ComputedLimit} the reply contains the result of every operation instead.
 */
final class Replay {

    private final Program program;
    private final PlannedLimit[] limits;
    private final String subject;
    private final ByteBuffer reply;
    private final long nowMicros;
    private final long granted;
    private final @Nullable Object[] states;
    private int place;
    private long grants;

    Replay(Program program, byte[] bytes, String subject) {
        this.program = program;
        this.limits = program.limits;
        this.subject = subject;
        this.reply = ByteBuffer.wrap(bytes);
        this.nowMicros = (long) reply.getDouble();
        this.granted = (long) reply.getDouble();
        this.states = new Object[limits.length];
        for (int i = 0; i < limits.length; i++) {
            states[i] = limits[i] instanceof ScriptedLimit kept ? kept.read(reply, nowMicros) : null;
        }
    }

    /**
     * One decision for each operation.
     *
     * @param claims how many permits each operation takes back; {@code null} if none does
     */
    List<Decision> decisions(List<Operation> operations, long @Nullable [] claims) {
        if (operations.size() == 1) {
            return List.of(decision(operations.get(0), claims == null ? 0 : claims[0], null));
        }
        List<Decision> decisions = new ArrayList<>(operations.size());
        for (int i = 0; i < operations.size(); i++) {
            decisions.add(next(operations.get(i), claims == null ? 0 : claims[i], null));
        }
        check();
        return decisions;
    }

    /**
     * The decision for the only operation.
     *
     * @param computed the encoded states of the user's algorithms in case it was granted
     */
    Decision decision(Operation operation, long claimed, byte @Nullable [][] computed) {
        Decision decision = next(operation, claimed, computed);
        check();
        return decision;
    }

    /** Fails if the script and the algorithms here, its twins, granted different operations: no request may be allowed by mistake. */
    private void check() {
        if (grants != granted) {
            throw disagreement();
        }
    }

    private static StoreException disagreement() {
        return new StoreException(Reason.OTHER, "a script has granted other operations than its twin here does");
    }

    /** Notes, as the script does, that this operation took permits. */
    private void grant() {
        grants = (grants * 31 + place) % (1L << 32);
    }

    private Decision next(Operation operation, long claimed, byte @Nullable [][] computed) {
        place++;
        long cost = Program.cost(operation);
        if (operation instanceof Operation.Take take) {
            if (limits.length == 1
                    && take.maxWaitMicros() == 0
                    && limits[0] instanceof ScriptedLimit only
                    && cost <= only.limit.burst()) {
                return take(only, cost);
            }
        } else if (operation instanceof Operation.Refund refund && claimed > 0) {
            refund(refund, claimed);
        } else if (operation instanceof Operation.Reset) {
            forget();
        }
        return applyAll(operation, cost, computed);
    }

    /** The usual case: one limit, now or not at all. */
    private Decision take(ScriptedLimit only, long cost) {
        Algorithm<Object> algorithm = only.algorithm;
        Limit limit = only.limit;
        Object state = state(0);
        long wait = algorithm.waitMicros(state, limit, cost, nowMicros);
        if (wait > 0) {
            long reset = algorithm.fullAtMicros(state, limit) - nowMicros;
            return new Decision.Denied(limit, algorithm.remaining(state, limit, nowMicros), wait, reset, List.of());
        }
        Object next = algorithm.take(state, limit, cost, nowMicros);
        states[0] = next;
        grant();
        long remaining = algorithm.remaining(next, limit, nowMicros);
        return Grant.of(
                limit,
                subject,
                cost,
                remaining,
                algorithm.fullAtMicros(next, limit) - nowMicros,
                algorithm.moreMicros(next, limit, remaining, nowMicros),
                new Stamp(program, new Object[] {next}));
    }

    private void refund(Operation.Refund refund, long claimed) {
        for (int i = 0; i < limits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept
                    && Grant.of(refund.receipt()).stamp() instanceof Stamp stamp) {
                states[i] = kept.refund(state(i), stamp, claimed, nowMicros);
            }
        }
    }

    private void forget() {
        for (int i = 0; i < limits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept) {
                states[i] = kept.reset(state(i), nowMicros);
            }
        }
    }

    private Decision applyAll(Operation operation, long cost, byte @Nullable [][] computed) {
        long[] waits = new long[limits.length];
        for (int i = 0; i < waits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept) {
                waits[i] = cost > kept.limit.burst()
                        ? Standing.NEVER
                        : kept.algorithm.waitMicros(state(i), kept.limit, cost, nowMicros);
            }
        }
        boolean takes = operation instanceof Operation.Take;
        long delay = program.hasOwn() ? told(waits) : delay(waits, operation, cost);
        boolean grant = takes && delay >= 0;
        List<Standing> standings = new ArrayList<>(limits.length);
        Object[] charged = new Object[limits.length];
        for (int i = 0; i < waits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept) {
                if (grant) {
                    states[i] = delay == 0
                            ? kept.algorithm.take(state(i), kept.limit, cost, nowMicros)
                            : kept.algorithm.reserve(state(i), kept.limit, cost, delay, nowMicros);
                }
                charged[i] = states[i];
                standings.add(kept.standing(state(i), grant ? 0 : waits[i], nowMicros));
            } else if (limits[i] instanceof ComputedLimit told) {
                standings.add(told.standing(reply, cost));
                charged[i] = computed == null ? null : computed[i];
            }
        }
        if (grant) {
            grant();
        }
        Decision impossible = Standings.impossible(standings, cost);
        if (impossible != null) {
            return impossible;
        }
        return delay < 0
                ? Standings.denied(standings)
                : Standings.allowed(
                        standings, subject, cost, takes ? delay : 0, grant ? new Stamp(program, charged) : null);
    }

    /**
     * The delay of the operation according to the script, or -1 if it is denied. It is at least the wait for every limit whose state
     * is known here.
     */
    private long told(long[] waits) {
        long delay = (long) reply.getDouble();
        if (delay >= 0 && longest(waits) > delay) {
            throw disagreement();
        }
        return delay;
    }

    /** How long the operation has to wait for all limits, or -1 if it is denied. */
    private long delay(long[] waits, Operation operation, long cost) {
        long longest = longest(waits);
        long most = operation instanceof Operation.Take take ? take.maxWaitMicros() : 0;
        if (longest == 0) {
            return 0;
        }
        if (longest > most || longest == Standing.NEVER || !reserves(cost)) {
            return -1;
        }
        long slot = slot(cost);
        return slot <= most ? slot : -1;
    }

    /** How long until the slot begins that is reserved. */
    private long slot(long cost) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept) {
                longest = Math.max(longest, kept.algorithm.slotMicros(state(i), kept.limit, cost, nowMicros));
            }
        }
        return longest;
    }

    private static long longest(long[] waits) {
        long longest = 0;
        for (long wait : waits) {
            longest = Math.max(longest, wait);
        }
        return longest;
    }

    private boolean reserves(long cost) {
        for (int i = 0; i < limits.length; i++) {
            if (limits[i] instanceof ScriptedLimit kept && !kept.algorithm.reserves(state(i), kept.limit, cost)) {
                return false;
            }
        }
        return true;
    }

    private Object state(int i) {
        Object state = states[i];
        if (state == null) {
            throw new IllegalStateException("the state of " + limits[i].id + " is not known here");
        }
        return state;
    }
}
