package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations on one key as one script call or, under a plan with a user's algorithm, as two calls for each operation.
 *
 * <p>A call is repeated only if its answer says that it had no effect: "home:", if the state of a key that was {@linkplain Sightings
 * seen} is gone; "moved:", if the state of another limit was in the place of the first limit's; "time:", if the local clock differs
 * so much from that of Redis that no calendar window in the call contained the time of Redis; and "raced:", if another call changed a
 * state after this process computed from it. A call is also repeated if it was rejected because its keys are moving to another node of
 * a cluster, and each node has some of them. If the plan has one limit, it is then sent with only the key that decides; otherwise
 * after a pause. Nothing is repeated once the timeout has passed since the first operation of the call was requested.
 */
final class ScriptBackend implements Backend {

    /** How often a call is made before it fails because others keep changing the state. */
    static final int ATTEMPTS = 32;

    private static final long LONGEST_PAUSE_MICROS = 20_000;
    private static final int MOST_PROGRAMS = 1024;

    private final RedisConnection link;
    private final Names names;
    private final Algorithms algorithms;
    private final Scripts scripts;
    private final Clocks clocks;
    private final Script ownStates;
    private final Sightings sightings = new Sightings();
    final ConcurrentHashMap<Plan, Program> programs = new ConcurrentHashMap<>();

    /** How far the clock of Redis was ahead of the local clock when a call was last answered by "time:". */
    private volatile long skewMicros;

    ScriptBackend(RedisConnection link, Names names, Algorithms algorithms, Scripts scripts, Clocks clocks) {
        this.link = link;
        this.names = names;
        this.algorithms = algorithms;
        this.scripts = scripts;
        this.clocks = clocks;
        this.ownStates = scripts.single("own-states");
    }

    @Override
    public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
        return run(key, plan, operations, clocks.nanos());
    }

    @Override
    public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations, long sinceNanos) {
        Program program = program(plan);
        if (program.hasOwn()) {
            return new OwnCalls(key, program, operations, sinceNanos).next();
        }
        Call call = new Call(key, program, operations, sinceNanos);
        call.send();
        return call;
    }

    @Override
    public boolean isOneCall(Plan plan) {
        return !program(plan).hasOwn();
    }

    private Program program(Plan plan) {
        Program program = programs.get(plan);
        if (program == null) {
            if (programs.size() >= MOST_PROGRAMS) { // plans keep changing; programs in use are created again
                programs.clear();
            }
            program = programs.computeIfAbsent(plan, missing -> new Program(missing, algorithms, scripts));
        }
        return program;
    }

    /** One call of a plan's script. */
    private abstract class PlanCall<T> extends Evaluation<T> {

        final Key key;
        final Program program;
        final byte[][] arguments;
        final long sentMicros;
        byte[][] keys;
        int attempts;
        boolean alone;
        private final long sinceNanos;
        private int rejections;

        /** @param takes whether the call only takes permits, under a plan of one limit */
        PlanCall(Key key, Program program, byte[][] arguments, boolean takes, long sinceNanos) {
            super(link);
            this.sinceNanos = sinceNanos;
            this.key = key;
            this.program = program;
            this.arguments = arguments;
            this.sentMicros = clocks.wallMicros();
            byte[] name = names.of(key);
            this.keys = takes && sightings.has(name, sentMicros) ? new byte[][] {name} : program.keys(name);
            program.aim(arguments, sentMicros + skewMicros);
        }

        void send() {
            if (alone) {
                byte[][] withHome = Arrays.copyOf(arguments, arguments.length + 1);
                withHome[arguments.length] = keys[1];
                send(program.script(), new byte[][] {keys[0]}, withHome);
            } else {
                send(program.script(), keys, arguments);
            }
        }

        /** Sends a rejected call again, from the beginning. */
        void restart() {
            send();
        }

        @Override
        final void failed(StoreException failure) {
            if (!Failures.isMoving(failure) || isLate()) {
                fail(failure);
            } else if (keys.length == 2 && !alone) { // one limit and its home
                alone = true;
                restart();
            } else {
                pause(++rejections, this::restart);
            }
        }

        private boolean isLate() {
            return clocks.nanos() - sinceNanos > link.timeout().toNanos();
        }

        @Override
        void answered(byte[] reply) {
            switch (reply[0]) {
                case 'h', 'm', 't', 'r' -> again(new String(reply, StandardCharsets.UTF_8));
                default -> done(reply);
            }
        }

        abstract void done(byte[] reply);

        private void again(String reply) {
            if (++attempts >= ATTEMPTS || isLate()) {
                fail(new StoreException(
                        Reason.CONTENTION, "others were faster " + attempts + " times to change the state of a key"));
                return;
            }
            String said = reply.substring(reply.indexOf(':') + 1);
            if (reply.startsWith("raced:")) {
                raced();
                return;
            }
            if (reply.startsWith("home:")) {
                sightings.forget(keys[0]);
                keys = program.keys(keys[0]);
            } else if (reply.startsWith("moved:")) {
                byte[] id = said.getBytes(StandardCharsets.UTF_8);
                alone = false;
                byte[][] own = program.keys(keys[0]);
                keys = Arrays.copyOf(own, own.length + 1);
                keys[own.length] = Names.of(keys[0], id);
            } else {
                skewMicros = Long.parseLong(said) - clocks.wallMicros();
                program.aim(arguments, Long.parseLong(said));
            }
            send();
        }

        void raced() {
            throw new IllegalStateException("nothing was computed here");
        }
    }

    /** Any number of operations in one call. */
    private final class Call extends PlanCall<List<Decision>> {

        private final List<Operation> operations;
        private final long @Nullable [] claims;
        private final boolean takes;

        Call(Key key, Program program, List<Operation> operations, long sinceNanos) {
            this(
                    key,
                    program,
                    operations,
                    Program.claims(operations),
                    program.hasOneLimit() && areTakes(operations),
                    sinceNanos);
        }

        private Call(
                Key key,
                Program program,
                List<Operation> operations,
                long @Nullable [] claims,
                boolean takes,
                long sinceNanos) {
            super(key, program, program.arguments(operations, claims), takes, sinceNanos);
            this.operations = operations;
            this.claims = claims;
            this.takes = takes;
        }

        private static boolean areTakes(List<Operation> operations) {
            for (Operation each : operations) {
                if (!(each instanceof Operation.Take)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        void done(byte[] reply) {
            List<Decision> decisions = new Replay(program, reply, key.subject()).decisions(operations, claims);
            if (takes && keys.length > 1 && decisions.get(0) instanceof Decision.Allowed granted) {
                sightings.note(keys[0], sentMicros, granted.resetAfter());
            } else if (!takes
                    && decisions.get(decisions.size() - 1).resetAfter().isZero()) {
                sightings.forget(keys[0]); // no state is left, as after a reset or a refund of a log's last permit
            }
            complete(decisions);
        }
    }

    /** Operations under a plan with a user's algorithm, one after the other. */
    private final class OwnCalls {

        private final Key key;
        private final Program program;
        private final List<Operation> operations;
        private final long sinceNanos;
        private final List<Decision> decisions = new ArrayList<>();

        OwnCalls(Key key, Program program, List<Operation> operations, long sinceNanos) {
            this.sinceNanos = sinceNanos;
            this.key = key;
            this.program = program;
            this.operations = operations;
        }

        CompletableFuture<List<Decision>> next() {
            if (decisions.size() == operations.size()) {
                return CompletableFuture.completedFuture(decisions);
            }
            OwnCall call = new OwnCall(key, program, operations.get(decisions.size()), sinceNanos);
            call.start();
            return call.thenCompose(decision -> {
                decisions.add(decision);
                return next();
            });
        }
    }

    /**
     * One such operation: fetches the time and the states to compute from, then calls the plan's script; repeats both until no other
     * call came in between.
     */
    private final class OwnCall extends PlanCall<Decision> {

        private final Operation operation;
        private final long claimed;
        private byte @Nullable [] @Nullable [] states;

        OwnCall(Key key, Program program, Operation operation, long sinceNanos) {
            this(key, program, operation, Program.claims(List.of(operation)), sinceNanos);
        }

        private OwnCall(Key key, Program program, Operation operation, long @Nullable [] claims, long sinceNanos) {
            super(key, program, program.arguments(List.of(operation), claims), false, sinceNanos);
            this.operation = operation;
            this.claimed = claims == null ? 0 : claims[0];
        }

        void start() {
            states = null;
            byte[][] wanted = alone ? new byte[][] {keys[0]} : program.ownKeys(program.keys(keys[0]));
            send(ownStates, wanted, new byte[0][]);
        }

        @Override
        void answered(byte[] reply) {
            if (states != null) {
                super.answered(reply);
                return;
            }
            ByteBuffer bytes = ByteBuffer.wrap(reply);
            long now = (long) bytes.getDouble();
            List<byte @Nullable []> kept = new ArrayList<>();
            while (bytes.hasRemaining()) {
                int length = bytes.getInt();
                byte[] value = length < 0 ? null : new byte[length];
                if (value != null) {
                    bytes.get(value);
                }
                kept.add(value);
            }
            if (alone) {
                kept.add(null); // the script checks the home itself
            }
            states = program.compute(arguments, kept, operation, claimed, now);
            send();
        }

        @Override
        void done(byte[] reply) {
            complete(new Replay(program, reply, key.subject()).decision(operation, claimed, states));
        }

        @Override
        void raced() {
            pause(attempts, this::start);
        }

        @Override
        void restart() {
            start();
        }
    }

    /** Runs the task after a random pause, so that competing calls do not meet again. Its upper bound grows with every attempt. */
    private static void pause(int times, Runnable then) {
        long micros = ThreadLocalRandom.current().nextLong(Math.min(LONGEST_PAUSE_MICROS, 500L * times) + 1);
        CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(then);
    }
}
