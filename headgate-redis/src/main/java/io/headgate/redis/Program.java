package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Standing;
import io.headgate.Standings;
import io.headgate.Window;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan bound to its script: what to call it with, and what its replies mean. {@code plan.lua} is the other side of this. */
final class Program {

    private static final byte[][] NO_STATES = {};
    private static final byte[] ONE = {'1'};
    private static final byte[] PEEK = letter('p', 1, 0, 0);
    private static final byte[] RESET = letter('x', 1, 0, 0);
    private static final Algorithms BUILT_IN = Headgate.algorithms();

    final List<Limit> limits;
    final List<String> ids;
    private final byte[][] idBytes;
    private final Script script;
    private final byte[][] numbers;
    private final List<CalendarWindows> calendars = new ArrayList<>();
    private final @Nullable OwnLimit[] own;
    private final int[] ownPlaces;
    final int[] stampSizes;
    final int stampSize;
    private final long capacity;

    /** @throws IllegalArgumentException if an algorithm is unknown or refuses its limit, or there are too many limits */
    Program(Plan plan, Algorithms algorithms, Scripts scripts) {
        check(plan, algorithms);
        this.limits = plan.limits();
        this.ids = plan.ids();
        this.idBytes =
                ids.stream().map(id -> id.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        this.own = new OwnLimit[limits.size()];
        this.ownPlaces = new int[limits.size()];
        this.stampSizes = new int[limits.size()];
        List<Scripts.Shape> shapes = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            Algorithm<?> algorithm = algorithms.get(limit.algorithm());
            Scripts.Shape shape = shape(limit, ids.get(i), algorithm);
            shapes.add(shape);
            stampSizes[i] = scripts.stampSize(shape.algorithm()) * Double.BYTES;
            if (shape.algorithm().equals(Scripts.OWN)) {
                own[i] = new OwnLimit(limit, ids.get(i), algorithm);
                ownPlaces[i] = arguments.size();
                arguments.addAll(Arrays.asList(new byte[shape.arguments()][]));
            } else {
                addNumbers(limit, arguments);
                if (shape.named()) {
                    arguments.add(name(limit, ids.get(i)).getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        this.script = scripts.plan(shapes);
        this.numbers = arguments.toArray(byte[][]::new);
        this.stampSize = Arrays.stream(stampSizes).sum();
        this.capacity = limits.stream().mapToLong(Limit::burst).min().orElseThrow();
    }

    static void check(Plan plan, Algorithms algorithms) {
        algorithms.check(plan);
        if (plan.limits().size() > Scripts.MOST_LIMITS) {
            throw new IllegalArgumentException("a plan in Redis has at most " + Scripts.MOST_LIMITS + " limits, not "
                    + plan.limits().size());
        }
    }

    private static Scripts.Shape shape(Limit limit, String id, Algorithm<?> algorithm) {
        boolean scripted = Scripts.know(limit.algorithm())
                && BUILT_IN.get(limit.algorithm()).getClass() == algorithm.getClass();
        return scripted
                ? new Scripts.Shape(limit.algorithm(), !name(limit, id).equals("0"))
                : new Scripts.Shape(Scripts.OWN, false);
    }

    private static String name(Limit limit, String id) {
        return id.substring(limit.algorithm().length() + 1);
    }

    private void addNumbers(Limit limit, List<byte[]> arguments) {
        arguments.add(decimal(limit.permits()));
        if (limit.window() instanceof Window.Calendar window) {
            calendars.add(new CalendarWindows(window, arguments.size()));
        }
        boolean parts = limit.algorithm().equals("sliding-window");
        arguments.add(decimal(parts ? (limit.periodMicros() + 9) / 10 : limit.periodMicros()));
        if (Scripts.isBucket(limit.algorithm())) {
            arguments.add(decimal(limit.burst()));
        }
    }

    Script script() {
        return script;
    }

    /** Whether some limit is computed here, so that an operation takes two scripts. */
    boolean hasOwn() {
        return Arrays.stream(own).anyMatch(each -> each != null);
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

    /** The arguments for these operations, but for calendars and what is computed here. Claims refunds: to be asked once. */
    byte[][] arguments(List<Operation> operations) {
        byte[][] arguments = Arrays.copyOf(numbers, numbers.length + operations.size());
        for (int i = 0; i < operations.size(); i++) {
            arguments[numbers.length + i] = argument(operations.get(i), claim(operations.get(i)));
        }
        return arguments;
    }

    /** The same for one operation whose refund has been claimed. */
    byte[][] arguments(Operation operation, long claimed) {
        byte[][] arguments = Arrays.copyOf(numbers, numbers.length + 1);
        arguments[numbers.length] = argument(operation, claimed);
        return arguments;
    }

    /** Puts in the windows of calendars around that time. */
    void aim(byte[][] arguments, long nowMicros) {
        for (CalendarWindows calendar : calendars) {
            arguments[calendar.place] = calendar.windows(nowMicros);
        }
    }

    /** How much of a charge is to be taken back; 0 if it has been claimed before, or was not made here. */
    static long claim(Operation operation) {
        return operation instanceof Operation.Refund refund && refund.receipt().stamp() instanceof Stamp
                ? refund.receipt().claimRefund()
                : 0;
    }

    /** What an operation asks for: refunds and resets are answered as a peek for one permit. */
    static long cost(Operation operation) {
        return operation instanceof Operation.Take take
                ? take.cost()
                : operation instanceof Operation.Peek peek ? peek.cost() : 1;
    }

    private byte[] argument(Operation operation, long claimed) {
        if (operation instanceof Operation.Take take) {
            return take.maxWaitMicros() > 0
                    ? letter('w', take.cost(), take.maxWaitMicros(), 0)
                    : take.cost() == 1 ? ONE : decimal(Math.min(take.cost(), Limit.MOST + 1));
        }
        if (operation instanceof Operation.Peek peek) {
            return letter('p', peek.cost(), 0, 0);
        }
        if (operation instanceof Operation.Reset) {
            return RESET;
        }
        Object stamp = ((Operation.Refund) operation).receipt().stamp();
        if (claimed == 0 || !(stamp instanceof Stamp made)) {
            return PEEK;
        }
        byte[] charge = made.under(this);
        byte[] argument = letter('r', claimed, 0, charge.length);
        System.arraycopy(charge, 0, argument, argument.length - charge.length, charge.length);
        return argument;
    }

    /** The keys to compute from: those of the limits computed here, and the home after the first limit's. */
    byte[][] ownKeys(byte[][] keys) {
        List<byte[]> wanted = new ArrayList<>();
        for (int i = 0; i < own.length; i++) {
            if (own[i] != null) {
                wanted.add(keys[i]);
                if (i == 0) {
                    wanted.add(keys[own.length]);
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
    byte[][] compute(
            byte[][] arguments, List<byte @Nullable []> kept, Operation operation, long claimed, long nowMicros) {
        byte[][] states = new byte[own.length][0];
        int next = 0;
        for (int i = 0; i < own.length; i++) {
            OwnLimit each = own[i];
            if (each != null) {
                byte[] value = kept.get(next++);
                if (i == 0) {
                    byte[] atHome = kept.get(next++);
                    value = each.wrote(value) ? value : atHome;
                }
                byte[] charged = operation instanceof Operation.Refund refund
                                && refund.receipt().stamp() instanceof Stamp stamp
                                && claimed > 0
                        ? stamp.own(ids.get(i))
                        : null;
                OwnLimit.Move move =
                        each.compute(each.wrote(value) ? value : null, operation, charged, claimed, nowMicros);
                System.arraycopy(move.arguments(), 0, arguments, ownPlaces[i], move.arguments().length);
                states[i] = move.taken();
            }
        }
        return states;
    }

    /** What the reply says, one decision for each operation. */
    List<Decision> decisions(byte[] reply, String subject, List<Operation> operations) {
        ByteBuffer numbers = ByteBuffer.wrap(reply);
        if (operations.size() == 1) {
            return List.of(decision(numbers, subject, operations.get(0), NO_STATES));
        }
        List<Decision> decisions = new ArrayList<>(operations.size());
        for (Operation operation : operations) {
            decisions.add(decision(numbers, subject, operation, NO_STATES));
        }
        return decisions;
    }

    /** What the reply says to one operation, of which some limits were computed here. */
    Decision decision(byte[] reply, String subject, Operation operation, byte[][] states) {
        return decision(ByteBuffer.wrap(reply), subject, operation, states);
    }

    private Decision decision(ByteBuffer numbers, String subject, Operation operation, byte[][] states) {
        long delay = next(numbers);
        long cost = cost(operation);
        boolean takes = operation instanceof Operation.Take;
        boolean granted = takes && delay >= 0;
        if (own.length == 1
                && cost <= capacity
                && operation instanceof Operation.Take take
                && take.maxWaitMicros() == 0) {
            long remaining = next(numbers);
            long wait = next(numbers);
            long reset = next(numbers);
            return granted
                    ? Decision.Allowed.of(limits.get(0), subject, cost, remaining, reset, -wait, stamp(numbers, states))
                    : denied(numbers, remaining, wait, reset);
        }
        List<Standing> standings = new ArrayList<>(own.length);
        for (Limit limit : limits) {
            long remaining = next(numbers);
            long wait = next(numbers);
            long reset = next(numbers);
            long retry = cost > limit.burst() ? Standing.NEVER : Math.max(0, wait);
            standings.add(new Standing(limit, remaining, retry, reset, -wait));
        }
        Stamp stamp = stamp(numbers, states);
        Decision impossible = Standings.impossible(standings, cost);
        if (impossible != null) {
            return impossible;
        }
        return delay < 0
                ? Standings.denied(standings)
                : Standings.allowed(standings, subject, cost, takes ? delay : 0, granted ? stamp : null);
    }

    private Decision denied(ByteBuffer numbers, long remaining, long wait, long reset) {
        numbers.position(numbers.position() + stampSize);
        return new Decision.Denied(limits.get(0), remaining, wait, reset, List.of());
    }

    private Stamp stamp(ByteBuffer numbers, byte[][] states) {
        byte[] charge = new byte[stampSize];
        numbers.get(charge);
        return new Stamp(this, charge, states);
    }

    private static long next(ByteBuffer numbers) {
        return (long) numbers.getDouble();
    }

    static byte[] decimal(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] letter(char letter, long cost, long wait, int more) {
        return ByteBuffer.allocate(1 + 2 * Double.BYTES + more)
                .put((byte) letter)
                .putDouble((double) Math.min(cost, Limit.MOST + 1))
                .putDouble((double) wait)
                .array();
    }
}
