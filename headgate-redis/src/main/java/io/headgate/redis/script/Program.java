package io.headgate.redis.script;

import static io.headgate.redis.script.PlannedLimit.text;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan bound to its script: the keys and arguments of its calls. {@code plan.lua} describes them. */
final class Program {

    /** How many arguments a limit takes, and which of them is its period. */
    private static final int ARGUMENTS = 4;

    private static final int PERIOD = 2;

    private static final byte[] TAKE = text("take");
    private static final byte[] RESERVE = text("reserve");
    private static final byte[] PEEK = text("peek");
    private static final byte[] REFUND = text("refund");
    private static final byte[] RESET = text("reset");
    private static final byte[] NOTHING = {};

    final PlannedLimit[] limits;
    private final byte[][] ids;
    private final Script script;
    private final byte[][] numbers;
    private final byte[][] one;
    private final boolean hasCustom;
    private final boolean hasCalendar;

    /** @throws IllegalArgumentException if an algorithm is unknown or rejects its limit */
    Program(Plan plan, Algorithms algorithms, Scripts scripts) {
        BoundPlan.check(plan, algorithms);
        List<String> ids = plan.ids();
        this.limits = new PlannedLimit[ids.size()];
        this.ids = new byte[limits.length][];
        List<byte[]> numbers = new ArrayList<>();
        for (int i = 0; i < limits.length; i++) {
            Limit limit = plan.limits().get(i);
            limits[i] = PlannedLimit.of(limit, ids.get(i), algorithms.get(limit.algorithm()), scripts.algorithms());
            this.ids[i] = text(ids.get(i));
            numbers.addAll(Arrays.asList(limits[i].arguments()));
        }
        this.script = scripts.plan(Arrays.stream(limits).map(PlannedLimit::file).toList());
        this.numbers = numbers.toArray(byte[][]::new);
        this.one = with(List.of(TAKE, text(1)));
        this.hasCustom = Arrays.stream(limits).anyMatch(limit -> limit.custom() != null);
        this.hasCalendar = Arrays.stream(limits).anyMatch(limit -> limit.calendar() != null);
    }

    Script script() {
        return script;
    }

    /** Whether some limit is computed here, so that an operation takes two script calls. */
    boolean hasCustom() {
        return hasCustom;
    }

    /** The keys of all limits of a subject. */
    byte[][] keys(byte[] subject) {
        byte[][] keys = new byte[ids.length][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Names.of(subject, ids[i]);
        }
        return keys;
    }

    /**
     * The arguments for these operations, without what is computed here.
     *
     * @param claims how many permits each operation takes back; {@code null} if none does
     * @param nowMicros decides which windows of a calendar are sent
     */
    byte[][] arguments(List<Operation> operations, long @Nullable [] claims, long nowMicros) {
        byte[][] arguments = operations.size() == 1 && operations.get(0).equals(Operation.ONE)
                ? hasCustom || hasCalendar ? one.clone() : one
                : with(written(operations, claims));
        return aim(arguments, nowMicros);
    }

    /** Replaces the windows of calendars in the arguments by those around that time. */
    byte[][] aim(byte[][] arguments, long nowMicros) {
        for (int i = 0; hasCalendar && i < limits.length; i++) {
            CalendarWindows calendar = limits[i].calendar();
            if (calendar != null) {
                arguments[ARGUMENTS * i + PERIOD] = calendar.around(nowMicros);
            }
        }
        return arguments;
    }

    /** The numbers of the limits, followed by these arguments. */
    private byte[][] with(List<byte[]> operations) {
        byte[][] all = Arrays.copyOf(numbers, numbers.length + operations.size());
        for (int i = 0; i < operations.size(); i++) {
            all[numbers.length + i] = operations.get(i);
        }
        return all;
    }

    private List<byte[]> written(List<Operation> operations, long @Nullable [] claims) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            write(operations.get(i), claims == null ? 0 : claims[i], all);
        }
        return all;
    }

    private void write(Operation operation, long claimed, List<byte[]> out) {
        if (operation instanceof Operation.Reset) {
            out.add(RESET);
        } else if (operation instanceof Operation.Take take) {
            out.add(take.maxWaitMicros() == 0 ? TAKE : RESERVE);
            out.add(cost(take.cost()));
            if (take.maxWaitMicros() > 0) {
                out.add(text(take.maxWaitMicros()));
            }
        } else if (claimed > 0
                && operation instanceof Operation.Refund refund
                && refund.receipt() instanceof Grant receipt
                && receipt.stamp() instanceof Stamp stamp) {
            out.add(REFUND);
            out.add(text(claimed));
            for (PlannedLimit limit : limits) {
                byte[] charge = stamp.of(limit);
                out.add(charge == null ? NOTHING : charge);
            }
        } else {
            out.add(PEEK);
            out.add(cost(cost(operation)));
        }
    }

    /** More than any limit has is more than the script can count. */
    private static byte[] cost(long cost) {
        return text(Math.min(cost, Limit.MOST + 1));
    }

    /** The cost that an operation is decided for: refunds and resets are answered like a peek for one permit. */
    static long cost(Operation operation) {
        return operation instanceof Operation.Take take
                ? take.cost()
                : operation instanceof Operation.Peek peek ? peek.cost() : 1;
    }

    /** How many permits of a charge each operation takes back; {@code null} if none does. Claims the refunds, so it is called once. */
    static long @Nullable [] claims(List<Operation> operations) {
        long[] claims = null;
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i) instanceof Operation.Refund refund
                    && refund.receipt() instanceof Grant receipt
                    && receipt.stamp() instanceof Stamp) {
                claims = claims == null ? new long[operations.size()] : claims;
                claims[i] = receipt.claimRefund();
            }
        }
        return claims;
    }

    /** The keys of the states to compute from. */
    byte[][] customKeys(byte[][] keys) {
        List<byte[]> wanted = new ArrayList<>();
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].custom() != null) {
                wanted.add(keys[i]);
            }
        }
        return wanted.toArray(byte[][]::new);
    }

    /** Computes an operation from the states at {@link #customKeys}, and puts the results into the arguments. */
    void compute(byte[][] arguments, List<?> states, Operation operation, long claimed, long nowMicros) {
        int next = 0;
        for (int i = 0; i < limits.length; i++) {
            CustomAlgorithmState custom = limits[i].custom();
            if (custom != null) {
                byte[] state = (byte[]) states.get(next++);
                byte[] charge = claimed > 0
                                && operation instanceof Operation.Refund refund
                                && refund.receipt() instanceof Grant receipt
                                && receipt.stamp() instanceof Stamp stamp
                        ? stamp.of(limits[i])
                        : null;
                arguments[ARGUMENTS * i + PERIOD] = custom.compute(state, operation, charge, claimed, nowMicros);
            }
        }
    }
}
