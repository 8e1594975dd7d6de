package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Window;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan bound to its script: what to call it with. {@code plan.lua} is the other side of this; {@link Replay} reads the replies. */
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

    /** @throws IllegalArgumentException if an algorithm is unknown or refuses its limit, or there are too many limits */
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
        this.hasOwn = Arrays.stream(limits).anyMatch(ToldLimit.class::isInstance);
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
            return new ToldLimit(limit, id, algorithm);
        }
        return isLog(limit, algorithms) ? new LogLimit(limit, id) : new KeptLimit(limit, id, algorithm);
    }

    /** Whether it is the one that a script is the twin of, and not another of that id. */
    private static boolean isScripted(Algorithm<?> algorithm) {
        return Scripts.know(algorithm.id()) && BUILT_IN.get(algorithm.id()).getClass() == algorithm.getClass();
    }

    private static boolean isLog(Limit limit, Algorithms algorithms) {
        return limit.algorithm().equals("sliding-window-log") && isScripted(algorithms.get(limit.algorithm()));
    }

    private static @Nullable OwnLimit own(PlannedLimit limit) {
        return limit instanceof ToldLimit told ? told.own : null;
    }

    /** The numbers of all limits, as the script is given them. */
    private byte[] numbers() {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(limits).mapToInt(limit -> limit.numbers().length).sum() * Double.BYTES);
        for (PlannedLimit each : limits) {
            if (each instanceof KeptLimit && each.limit.window() instanceof Window.Calendar window) {
                calendars.add(new CalendarWindows(window, all.position() + Double.BYTES));
            }
            for (long number : each.numbers()) {
                all.putDouble((double) number);
            }
        }
        return all.array();
    }

    /** Room for the numbers and operations, and after it what limits have of their own: arguments that are computed, or a name. */
    private byte[][] more() {
        List<byte @Nullable []> all = new ArrayList<>();
        all.add(null);
        for (int i = 0; i < limits.length; i++) {
            ownPlaces[i] = all.size();
            if (own(limits[i]) != null) {
                all.addAll(Arrays.asList(new byte[OwnLimit.ARGUMENTS][]));
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

    /** Whether some limit is computed here, so that an operation takes two scripts. */
    boolean hasOwn() {
        return hasOwn;
    }

    /** Where the limits are kept and, last, the home of the first one, if that is kept under the given name. */
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
     * The arguments for these operations, but for calendars and what is computed here.
     *
     * @param claims what is to be taken back by each; {@code null} if nothing is
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

    /** Puts in the windows of calendars around that time. */
    void aim(byte[][] arguments, long nowMicros) {
        for (CalendarWindows calendar : calendars) {
            calendar.aim(arguments[0], nowMicros);
        }
    }

    /** How much of a charge each operation takes back, to be asked once; {@code null} if none does. */
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

    /** How much of a charge is to be taken back; 0 if it has been claimed before, or was not made here. */
    private static long claim(Operation.Refund refund) {
        return refund.receipt().stamp() instanceof Stamp ? refund.receipt().claimRefund() : 0;
    }

    /** What an operation asks for: refunds and resets are answered as a peek for one permit. */
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
                && refund.receipt().stamp() instanceof Stamp stamp) {
            stamp.write(this, out);
        }
    }

    /** The keys to compute from: those of the limits computed here, and the home after the first limit's. */
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
     * Computes an operation from what is kept under {@link #ownKeys}, and puts in the arguments.
     *
     * @return the string of each limit computed here if the operation is granted
     */
    byte @Nullable [][] compute(
            byte[][] arguments, List<byte @Nullable []> kept, Operation operation, long claimed, long nowMicros) {
        byte[][] states = new byte[limits.length][];
        int next = 0;
        for (int i = 0; i < limits.length; i++) {
            OwnLimit each = own(limits[i]);
            if (each != null) {
                byte[] value = kept.get(next++);
                if (i == 0) {
                    byte[] atHome = kept.get(next++);
                    value = each.wrote(value) ? value : atHome;
                }
                byte[] charged = claimed > 0
                                && operation instanceof Operation.Refund refund
                                && refund.receipt().stamp() instanceof Stamp stamp
                        ? (byte[]) stamp.of(limits[i])
                        : null;
                OwnLimit.Move move =
                        each.compute(each.wrote(value) ? value : null, operation, charged, claimed, nowMicros);
                System.arraycopy(move.arguments(), 0, arguments, ownPlaces[i], move.arguments().length);
                states[i] = move.taken().length == 0 ? null : move.taken();
            }
        }
        return states;
    }
}
