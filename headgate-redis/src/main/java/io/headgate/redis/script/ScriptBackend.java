package io.headgate.redis.script;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.connection.Failures;
import io.headgate.redis.connection.RedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations on one key as one script call or, under a plan with a user's algorithm, as two calls for each operation.
 *
 * <p>A call is repeated only if its answer says that it had no effect: if the local clock differs so much from that of Redis that no
 * calendar window in the call contained the time of Redis; if another call changed a state after this process computed from it; or if
 * the node of a cluster rejected it because it has only some of the keys while they move to another one. Nothing is repeated once the
 * timeout has passed since the first operation of the call was requested.
 */
public final class ScriptBackend implements Backend {

    /** How often a call is made before it fails because others keep changing the state. */
    static final int ATTEMPTS = 32;

    private static final long LONGEST_PAUSE_MICROS = 20_000;

    private final RedisConnection connection;
    private final Names names;
    private final Algorithms algorithms;
    private final Scripts scripts;
    private final Clocks clocks;
    private final Script states;

    /** How far the clock of Redis was ahead of the local clock when a calendar window in a call was last the wrong one. */
    private volatile long skewMicros;

    public ScriptBackend(
            RedisConnection connection, Names names, Algorithms algorithms, Scripts scripts, Clocks clocks) {
        this.connection = connection;
        this.names = names;
        this.algorithms = algorithms;
        this.scripts = scripts;
        this.clocks = clocks;
        this.states = scripts.states();
    }

    @Override
    public BoundScript bind(Plan plan) {
        return new PlanScript(plan, new Program(plan, algorithms, scripts));
    }

    /** A plan with the arguments of its calls. */
    private final class PlanScript implements BoundScript {

        private final Plan plan;
        private final Program program;

        PlanScript(Plan plan, Program program) {
            this.plan = plan;
            this.program = program;
        }

        @Override
        public Plan plan() {
            return plan;
        }

        @Override
        public boolean isOneCall() {
            return !program.hasCustom();
        }

        @Override
        public CompletableFuture<List<Decision>> run(Key key, List<Operation> operations, long sinceNanos) {
            if (program.hasCustom()) {
                return oneByOne(key, program, operations, sinceNanos, new ArrayList<>());
            }
            Call call = new Call(key, program, operations, sinceNanos);
            call.start();
            return call;
        }
    }

    /** Operations under a plan with a user's algorithm, one after the other. */
    private CompletableFuture<List<Decision>> oneByOne(
            Key key, Program program, List<Operation> operations, long sinceNanos, List<Decision> decisions) {
        if (decisions.size() == operations.size()) {
            return CompletableFuture.completedFuture(decisions);
        }
        Call call = new CustomCall(key, program, operations.get(decisions.size()), sinceNanos);
        call.start();
        return call.thenCompose(decided -> {
            decisions.addAll(decided);
            return oneByOne(key, program, operations, sinceNanos, decisions);
        });
    }

    /** One call of a plan's script, for any number of operations. */
    private class Call extends Evaluation<List<Decision>> {

        final Program program;
        final List<Operation> operations;
        final long @Nullable [] claims;
        final byte[][] keys;
        final byte[][] arguments;
        private final String subject;
        private final long sinceNanos;
        private int attempts;
        private int rejections;

        Call(Key key, Program program, List<Operation> operations, long sinceNanos) {
            super(connection);
            this.program = program;
            this.operations = operations;
            this.claims = Program.claims(operations);
            this.keys = program.keys(names.of(key));
            this.arguments = program.arguments(operations, claims, clocks.wallMicros() + skewMicros);
            this.subject = key.subject();
            this.sinceNanos = sinceNanos;
        }

        void start() {
            send(program.script(), keys, arguments);
        }

        @Override
        final void failed(StoreException failure) {
            if (!Failures.isMoving(failure) || isLate()) {
                fail(failure);
            } else {
                pause(++rejections, this::start);
            }
        }

        private boolean isLate() {
            return clocks.nanos() - sinceNanos > connection.timeout().toNanos();
        }

        @Override
        void answered(List<Object> reply) {
            if (!(reply.get(0) instanceof byte[] reason)) {
                complete(new Reply(program, subject, reply).decisions(operations));
            } else if (!new String(reason, StandardCharsets.US_ASCII).equals("time")) {
                if (repeat(
                        "each time, another call changed the state before this one could: too many processes at once use a"
                                + " key with a custom algorithm")) {
                    pause(attempts, this::start);
                }
            } else if (repeat("the clock of Redis was each time outside the calendar windows around its last time")) {
                long micros = Long.parseLong(new String((byte[]) reply.get(1), StandardCharsets.US_ASCII));
                skewMicros = micros - clocks.wallMicros();
                program.aim(arguments, micros);
                start();
            }
        }

        /** Whether another attempt may be made; if not, the call has failed. */
        private boolean repeat(String why) {
            if (++attempts < ATTEMPTS && !isLate()) {
                return true;
            }
            fail(new StoreException(Reason.CONTENTION, "gave up after " + attempts + " attempts: " + why));
            return false;
        }
    }

    /**
     * One operation under a plan with a user's algorithm: fetches the time and the states to compute from, then calls the plan's script;
     * repeats both until no other call came in between.
     */
    private final class CustomCall extends Call {

        private boolean computed;

        CustomCall(Key key, Program program, Operation operation, long sinceNanos) {
            super(key, program, List.of(operation), sinceNanos);
        }

        @Override
        void start() {
            computed = false;
            send(states, program.customKeys(keys), new byte[0][]);
        }

        @Override
        void answered(List<Object> reply) {
            if (computed) {
                super.answered(reply);
                return;
            }
            long now = (Long) reply.get(0);
            program.compute(
                    arguments, reply.subList(1, reply.size()), operations.get(0), claims == null ? 0 : claims[0], now);
            computed = true;
            super.start();
        }
    }

    /** Runs the task after a random pause, so that competing calls do not meet again. Its upper bound grows with every attempt. */
    private static void pause(int times, Runnable then) {
        long micros = ThreadLocalRandom.current().nextLong(Math.min(LONGEST_PAUSE_MICROS, 500L * times) + 1);
        CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(then);
    }
}
