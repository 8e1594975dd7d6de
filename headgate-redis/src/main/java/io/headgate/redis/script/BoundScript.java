package io.headgate.redis.script;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.engine.Grant;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The script of one plan, bound once. It runs any number of operations on one key as one call or, under a plan with a user's algorithm,
 * as two calls for each operation.
 *
 * <p>A call is repeated only if its answer says that it had no effect: if the local clock differs so much from that of Redis that no
 * calendar window in the call contained the time of Redis, or if another call changed a state after this process computed from it.
 * Nothing is repeated once the timeout has passed since the first operation of the call was requested.
 */
public final class BoundScript {

    /** How often a call is made before it fails because others keep changing the state. */
    static final int ATTEMPTS = 32;

    private static final long LONGEST_PAUSE_MICROS = 20_000;

    private final ScriptBinder binder;
    private final Plan plan;
    private final Program program;

    BoundScript(ScriptBinder binder, Plan plan, Program program) {
        this.binder = binder;
        this.plan = plan;
        this.program = program;
    }

    public Plan plan() {
        return plan;
    }

    /** Whether all operations take one call together, instead of two calls each. */
    public boolean isOneCall() {
        return !program.hasCustom();
    }

    /**
     * Checks that the operation can be run here.
     *
     * @throws IllegalArgumentException if it refunds the receipt of a store that is not in Redis
     */
    public static void check(Operation operation) {
        if (operation instanceof Operation.Refund refund) {
            Object stamp = Grant.madeByAStore(refund.receipt()).stamp();
            if (stamp != null && !(stamp instanceof Stamp)) {
                throw new IllegalArgumentException("another store has made the receipt " + refund.receipt() + " for '"
                        + refund.receipt().subject()
                        + "': refund it with a limiter of the store that was charged");
            }
        }
    }

    /**
     * Runs the operations in order.
     *
     * @param sinceNanos when the first of them was requested, on the clock of {@link System#nanoTime}
     */
    public CompletableFuture<List<Decision>> run(Key key, List<Operation> operations, long sinceNanos) {
        if (program.hasCustom()) {
            return oneByOne(key, operations, sinceNanos, new ArrayList<>());
        }
        Call call = new Call(key, operations, sinceNanos);
        call.start();
        return call;
    }

    /** Operations under a plan with a user's algorithm, one after the other. */
    private CompletableFuture<List<Decision>> oneByOne(
            Key key, List<Operation> operations, long sinceNanos, List<Decision> decisions) {
        if (decisions.size() == operations.size()) {
            return CompletableFuture.completedFuture(decisions);
        }
        Call call = new CustomCall(key, operations.get(decisions.size()), sinceNanos);
        call.start();
        return call.thenCompose(decided -> {
            decisions.addAll(decided);
            return oneByOne(key, operations, sinceNanos, decisions);
        });
    }

    /** One call of the script, for any number of operations. */
    private class Call extends CompletableFuture<List<Decision>>
            implements BiConsumer<@Nullable List<Object>, @Nullable Throwable> {

        final List<Operation> operations;
        final long @Nullable [] claims;
        final byte[][] keys;
        final byte[][] arguments;
        private final String subject;
        private final long sinceNanos;
        private int attempts;

        Call(Key key, List<Operation> operations, long sinceNanos) {
            this.operations = operations;
            this.claims = Program.claims(operations);
            this.keys = program.keys(binder.names.of(key));
            this.arguments = program.arguments(operations, claims, binder.nowMicros());
            this.subject = key.subject();
            this.sinceNanos = sinceNanos;
        }

        void start() {
            send(program.script(), keys, arguments);
        }

        final void send(Script script, byte[][] keys, byte[][] arguments) {
            binder.redis
                    .run(script.text(), script.sha(), keys, arguments, sinceNanos)
                    .whenComplete(this);
        }

        @Override
        public final void accept(@Nullable List<Object> reply, @Nullable Throwable failure) {
            if (failure != null || reply == null) {
                completeExceptionally(
                        failure != null ? failure : new StoreException("Redis gave no reply to a script"));
                return;
            }
            try {
                answered(reply);
            } catch (StoreException e) {
                completeExceptionally(e);
            } catch (Throwable e) { // whatever it is, no caller must wait forever
                completeExceptionally(
                        new StoreException(Reason.OTHER, "the reply of a script could not be read: " + e, e));
            }
        }

        /** Handles a reply: completes with the decisions, or sends another script. */
        void answered(List<Object> reply) {
            if (!(reply.get(0) instanceof byte[] reason)) {
                complete(new Reply(program, subject, reply).decisions(operations));
            } else if (!new String(reason, StandardCharsets.US_ASCII).equals("time")) {
                checkRepeatable(
                        "each time, another call changed the state before this one could: too many processes at once use a"
                                + " key with a custom algorithm");
                long micros = Math.min(LONGEST_PAUSE_MICROS, 500L * attempts);
                CompletableFuture.delayedExecutor( // random, so that competing calls do not meet again
                                ThreadLocalRandom.current().nextLong(micros + 1), TimeUnit.MICROSECONDS)
                        .execute(this::start);
            } else {
                checkRepeatable("the clock of Redis was each time outside the calendar windows around its last time");
                long micros = Long.parseLong(new String((byte[]) reply.get(1), StandardCharsets.US_ASCII));
                binder.redisTimeIs(micros);
                program.aim(arguments, micros);
                start();
            }
        }

        private void checkRepeatable(String why) {
            if (++attempts >= ATTEMPTS || System.nanoTime() - sinceNanos > binder.timeout.toNanos()) {
                throw new StoreException(Reason.CONTENTION, "gave up after " + attempts + " attempts: " + why);
            }
        }
    }

    /**
     * One operation under a plan with a user's algorithm: fetches the time and the states to compute from, then calls the script; repeats
     * both until no other call came in between.
     */
    private final class CustomCall extends Call {

        private boolean computed;

        CustomCall(Key key, Operation operation, long sinceNanos) {
            super(key, List.of(operation), sinceNanos);
        }

        @Override
        void start() {
            computed = false;
            send(binder.states, program.customKeys(keys), new byte[0][]);
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
}
