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
 * Runs operations on one key as one script call, or, under a plan with an algorithm of the user's, as two for each operation.
 *
 * <p>A call is made again only if it was answered without having done anything: "home:", when the state of a key that was
 * {@linkplain Sightings seen} is gone; "moved:", when the state of another limit was where the first one's belongs; "time:", when our
 * clock is so far from that of Redis that no window of a calendar contained its time; and "raced:", when what was computed here was
 * overtaken. Or if it was refused because its keys are on their way to another node of a cluster, some here and some there: then with
 * the one key that decides, if the plan has one limit, and otherwise after a pause, until it would have been given up for lack of an
 * answer.
 */
final class ScriptBackend implements Backend {

    /** How often a call is overtaken by others before it gives up. */
    static final int ATTEMPTS = 32;

    private static final long LONGEST_PAUSE_MICROS = 20_000;
    private static final int MOST_PROGRAMS = 1024;

    private final Link link;
    private final Names names;
    private final Algorithms algorithms;
    private final Scripts scripts;
    private final Clocks clocks;
    private final Script ownStates;
    private final Sightings sightings = new Sightings();
    final ConcurrentHashMap<Plan, Program> programs = new ConcurrentHashMap<>();

    /** How far ahead of ours the clock of Redis was when that mattered. */
    private volatile long skewMicros;

    ScriptBackend(Link link, Names names, Algorithms algorithms, Scripts scripts, Clocks clocks) {
        this.link = link;
        this.names = names;
        this.algorithms = algorithms;
        this.scripts = scripts;
        this.clocks = clocks;
        this.ownStates = scripts.single("own-states");
    }

    @Override
    public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
        Program program = program(plan);
        if (program.hasOwn()) {
            return new OwnCalls(key, program, operations).next();
        }
        Call call = new Call(key, program, operations);
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
            if (programs.size() >= MOST_PROGRAMS) { // plans that change all the time: those in use are made again
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
        private int refusals;
        private long firstRefused;

        /** @param takes whether it takes permits under one limit, and does nothing else */
        PlanCall(Key key, Program program, byte[][] arguments, boolean takes) {
            super(link);
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

        /** Sends what was refused, from the beginning. */
        void restart() {
            send();
        }

        @Override
        final void refused(StoreException failure) {
            long now = clocks.nanos();
            firstRefused = firstRefused == 0 ? now : firstRefused;
            if (!Failures.isMoving(failure)
                    || now - firstRefused > link.timeout().toNanos()) {
                fail(failure);
            } else if (keys.length == 2 && !alone) { // one limit and its home
                alone = true;
                restart();
            } else {
                pause(++refusals, this::restart);
            }
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
            if (++attempts >= ATTEMPTS) {
                fail(new StoreException(
                        Reason.CONTENTION, "others were faster " + ATTEMPTS + " times to change the state of a key"));
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

        Call(Key key, Program program, List<Operation> operations) {
            this(key, program, operations, Program.claims(operations), program.hasOneLimit() && areTakes(operations));
        }

        private Call(Key key, Program program, List<Operation> operations, long @Nullable [] claims, boolean takes) {
            super(key, program, program.arguments(operations, claims), takes);
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
                sightings.forget(keys[0]); // after a reset, and after a refund that took out the last permit of a log
            }
            complete(decisions);
        }
    }

    /** Operations under a plan that is computed here in part, one after the other. */
    private final class OwnCalls {

        private final Key key;
        private final Program program;
        private final List<Operation> operations;
        private final List<Decision> decisions = new ArrayList<>();

        OwnCalls(Key key, Program program, List<Operation> operations) {
            this.key = key;
            this.program = program;
            this.operations = operations;
        }

        CompletableFuture<List<Decision>> next() {
            if (decisions.size() == operations.size()) {
                return CompletableFuture.completedFuture(decisions);
            }
            OwnCall call = new OwnCall(key, program, operations.get(decisions.size()));
            call.start();
            return call.thenCompose(decision -> {
                decisions.add(decision);
                return next();
            });
        }
    }

    /** One such operation: first the states to compute from and the time, then the plan's script, until nobody was faster. */
    private final class OwnCall extends PlanCall<Decision> {

        private final Operation operation;
        private final long claimed;
        private byte @Nullable [] @Nullable [] states;

        OwnCall(Key key, Program program, Operation operation) {
            this(key, program, operation, Program.claims(List.of(operation)));
        }

        private OwnCall(Key key, Program program, Operation operation, long @Nullable [] claims) {
            super(key, program, program.arguments(List.of(operation), claims), false);
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
                kept.add(null); // what is at home the script finds out
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

    /** Longer every time, and never as long as others. */
    private static void pause(int times, Runnable then) {
        long micros = ThreadLocalRandom.current().nextLong(Math.min(LONGEST_PAUSE_MICROS, 500L * times) + 1);
        CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(then);
    }
}
