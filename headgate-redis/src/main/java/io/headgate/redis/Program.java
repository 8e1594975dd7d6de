package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Window;
import io.headgate.engine.Grant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan bound to its script: builds the keys and arguments of calls. {@code plan.lua} is the counterpart; {@link Replay} reads the
 * replies.
 */
final class Program {

    private static final int LETTERED = Double.BYTES + 1 + 2 * Double.BYTES;
    private static final Algorithms BUILT_IN = Headgate.algorithms();

    final PlannedLimit[] limits;
    final List<String> ids;
    private final byte[][] idBytes;
    private final Script script;
    private final byte[] numbers;
    private final byte[][] arguments;
    private final byte @Nullable [][] one;
    private final List<CalendarWindows> calendars = new ArrayList<>();
    private final int[] ownPlaces;
    private final int chargeBytes;
    private final boolean hasOwn;

    /** @throws IllegalArgumentException if an algorithm is unknown or rejects its limit, or there are too many limits */
    Program(Plan plan, Algorithms algorithms, Scripts scripts) {
        check(plan, algorithms);
        this.ids = plan.ids();
        this.idBytes =
                ids.stream().map(id -> id.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        this.limits = new PlannedLimit[ids.size()];
        Arrays.setAll(limits, i -> planned(plan.limits().get(i), ids.get(i), algorithms));
        this.script =
                scripts.plan(Arrays.stream(limits).map(PlannedLimit::shape).toList());
        this.ownPlaces = new int[limits.length];
        this.numbers = numbers();
        this.arguments = more();
        this.chargeBytes =
                Arrays.stream(limits).mapToInt(PlannedLimit::chargeSize).sum() * Double.BYTES;
        this.hasOwn = Arrays.stream(limits).anyMatch(ComputedLimit.class::isInstance);
        this.one = hasOwn || !calendars.isEmpty() ? null : written(List.of(Operation.ONE), null);
    }

    static void check(Plan plan, Algorithms algorithms) {
        algorithms.check(plan);
        plan.limits().stream().filter(limit -> isLog(limit, algorithms)).forEach(LogLimit::check);
        if (plan.limits().size() > Scripts.MOST_LIMITS) {
            throw new IllegalArgumentException("a plan in Redis has at most " + Scripts.MOST_LIMITS + " limits, not "
                    + plan.limits().size());
        }
    }

    private static PlannedLimit planned(Limit limit, String id, Algorithms algorithms) {
        Algorithm<?> algorithm = algorithms.get(limit.algorithm());
        if (!isScripted(algorithm)) {
            return new ComputedLimit(limit, id, algorithm);
        }
        return isLog(limit, algorithms) ? new LogLimit(limit, id) : new ScriptedLimit(limit, id, algorithm);
    }

    /** Whether this is the built-in algorithm that has a script, and not another one with the same id. */
    private static boolean isScripted(Algorithm<?> algorithm) {
        return Scripts.know(algorithm.id()) && BUILT_IN.get(algorithm.id()).getClass() == algorithm.getClass();
    }

    private static boolean isLog(Limit limit, Algorithms algorithms) {
        return limit.algorithm().equals("sliding-window-log") && isScripted(algorithms.get(limit.algorithm()));
    }

    private static @Nullable CustomAlgorithmState own(PlannedLimit limit) {
        return limit instanceof ComputedLimit told ? told.own : null;
    }

    /** The numbers of all limits, in the form that the script takes. */
    private byte[] numbers() {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(limits).mapToInt(limit -> limit.numbers().length).sum() * Double.BYTES);
        for (PlannedLimit each : limits) {
            if (each instanceof ScriptedLimit && each.limit.window() instanceof Window.Calendar window) {
                calendars.add(new CalendarWindows(window, all.position() + Double.BYTES));
            }
            for (long number : each.numbers()) {
                all.putDouble((double) number);
            }
        }
        return all.array();
    }

    /**
     * The arguments of a call: the first, still empty, is for the numbers and operations; then each limit has empty ones for what is
     * computed, or its name.
     */
    private byte[][] more() {
        List<byte @Nullable []> all = new ArrayList<>();
        all.add(null);
        for (int i = 0; i < limits.length; i++) {
            ownPlaces[i] = all.size();
            if (own(limits[i]) != null) {
                all.addAll(Arrays.asList(new byte[CustomAlgorithmState.ARGUMENTS][]));
            } else if (limits[i].isNamed()) {
                all.add(limits[i].name().getBytes(StandardCharsets.UTF_8));
            }
        }
        return all.toArray(byte[][]::new);
    }

    Script script() {
        return script;
    }

    boolean hasOneLimit() {
        return limits.length == 1;
    }

    /** Whether some limit is computed here, so that an operation takes two script calls. */
    boolean hasOwn() {
        return hasOwn;
    }

    /**
     * The keys of all limits, of which the first is given, followed by the home of the first limit: its key while another limit is
     * first.
     */
    byte[][] keys(byte[] first) {
        byte[][] keys = new byte[idBytes.length + 1][];
        keys[0] = first;
        for (int i = 1; i < idBytes.length; i++) {
            keys[i] = Names.of(first, idBytes[i]);
        }
        keys[idBytes.length] = Names.of(first, idBytes[0]);
        return keys;
    }

    /**
     * The arguments for these operations, without calendar windows and without values that are computed here.
     *
     * @param claims how many permits each operation takes back; {@code null} if none does
     */
    byte[][] arguments(List<Operation> operations, long @Nullable [] claims) {
        boolean single = operations.size() == 1 && operations.get(0).equals(Operation.ONE);
        return single && one != null ? one : written(operations, claims);
    }

    private byte[][] written(List<Operation> operations, long @Nullable [] claims) {
        int size = numbers.length;
        for (int i = 0; i < operations.size(); i++) {
            size += size(operations.get(i), claims == null ? 0 : claims[i]);
        }
        ByteBuffer input = ByteBuffer.allocate(size).put(numbers);
        for (int i = 0; i < operations.size(); i++) {
            write(operations.get(i), claims == null ? 0 : claims[i], input);
        }
        byte[][] all = arguments.clone();
        all[0] = input.array();
        return all;
    }

    /** Writes the calendar windows around that time into the arguments. */
    void aim(byte[][] arguments, long nowMicros) {
        for (CalendarWindows calendar : calendars) {
            calendar.aim(arguments[0], nowMicros);
        }
    }

    /** How many permits of a charge each operation takes back; {@code null} if none does. Claims the refunds, so it is called once. */
    static long @Nullable [] claims(List<Operation> operations) {
        long[] claims = null;
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i) instanceof Operation.Refund refund) {
                claims = claims == null ? new long[operations.size()] : claims;
                claims[i] = claim(refund);
            }
        }
        return claims;
    }

    /** How many permits of a charge to take back; 0 if the refund was claimed before, or the charge was not made in Redis. */
    private static long claim(Operation.Refund refund) {
        Grant receipt = Grant.of(refund.receipt());
        return receipt.stamp() instanceof Stamp ? receipt.claimRefund() : 0;
    }

    /** The cost that an operation is decided for: refunds and resets are answered like a peek for one permit. */
    static long cost(Operation operation) {
        return operation instanceof Operation.Take take
                ? take.cost()
                : operation instanceof Operation.Peek peek ? peek.cost() : 1;
    }

    private int size(Operation operation, long claimed) {
        return isPlain(operation) ? Double.BYTES : LETTERED + (claimed > 0 ? chargeBytes : 0);
    }

    private static boolean isPlain(Operation operation) {
        return operation instanceof Operation.Take take && take.maxWaitMicros() == 0;
    }

    private void write(Operation operation, long claimed, ByteBuffer out) {
        double cost = (double) Math.min(claimed > 0 ? claimed : cost(operation), Limit.MOST + 1);
        if (isPlain(operation)) {
            out.putDouble(cost);
            return;
        }
        double wait = operation instanceof Operation.Take take ? (double) take.maxWaitMicros() : 0;
        char letter = operation instanceof Operation.Take
                ? 'w'
                : operation instanceof Operation.Reset ? 'x' : claimed > 0 ? 'r' : 'p';
        out.putDouble(0).put((byte) letter).putDouble(cost).putDouble(wait);
        if (claimed > 0
                && operation instanceof Operation.Refund refund
                && Grant.of(refund.receipt()).stamp() instanceof Stamp stamp) {
            stamp.write(this, out);
        }
    }

    /** The keys of the states to compute from: those of the limits computed here, the first limit's followed by its home. */
    byte[][] ownKeys(byte[][] keys) {
        List<byte[]> wanted = new ArrayList<>();
        for (int i = 0; i < limits.length; i++) {
            if (own(limits[i]) != null) {
                wanted.add(keys[i]);
                if (i == 0) {
                    wanted.add(keys[limits.length]);
                }
            }
        }
        return wanted.toArray(byte[][]::new);
    }

    /**
     * Computes an operation from the values of {@link #ownKeys}, and writes the results into the arguments.
     *
     * @return the encoded state of each limit computed here, in case the operation is granted
     */
    byte @Nullable [][] compute(
            byte[][] arguments, List<byte @Nullable []> kept, Operation operation, long claimed, long nowMicros) {
        byte[][] states = new byte[limits.length][];
        int next = 0;
        for (int i = 0; i < limits.length; i++) {
            CustomAlgorithmState each = own(limits[i]);
            if (each != null) {
                byte[] value = kept.get(next++);
                if (i == 0) {
                    byte[] atHome = kept.get(next++);
                    value = each.wrote(value) ? value : atHome;
                }
                byte[] charged = claimed > 0
                                && operation instanceof Operation.Refund refund
                                && Grant.of(refund.receipt()).stamp() instanceof Stamp stamp
                        ? (byte[]) stamp.of(limits[i])
                        : null;
                CustomAlgorithmState.Move move =
                        each.compute(each.wrote(value) ? value : null, operation, charged, claimed, nowMicros);
                System.arraycopy(move.arguments(), 0, arguments, ownPlaces[i], move.arguments().length);
                states[i] = move.taken().length == 0 ? null : move.taken();
            }
        }
        return states;
    }
}
