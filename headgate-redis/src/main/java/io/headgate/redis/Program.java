package io.headgate.redis;

import io.headgate.Decision;
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

    private static final byte[] ONE = {'1'};
    private static final byte[] RESET = letter('x', 1, 0, 0);

    private final Plan plan;
    private final List<String> ids;
    private final byte[][] idBytes;
    private final Script script;
    private final byte[][] numbers;
    private final Calendar @Nullable [] calendars;
    private final int[] stampSizes;
    private final int stampSize;
    private final long capacity;

    Program(Plan plan, Scripts scripts) {
        this.plan = plan;
        this.ids = plan.ids();
        this.idBytes =
                ids.stream().map(id -> id.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        List<Scripts.Shape> shapes = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        List<Calendar> calendars = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Limit limit = plan.limits().get(i);
            String name = ids.get(i).substring(limit.algorithm().length() + 1);
            Scripts.Shape shape = new Scripts.Shape(limit.algorithm(), !name.equals("0"));
            shapes.add(shape);
            arguments.add(decimal(limit.permits()));
            if (limit.window() instanceof Window.Calendar window) {
                calendars.add(new Calendar(window, arguments.size()));
            }
            arguments.add(decimal(width(limit)));
            if (Scripts.isBucket(limit.algorithm())) {
                arguments.add(decimal(limit.burst()));
            }
            if (shape.named()) {
                arguments.add(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        this.script = scripts.plan(shapes);
        this.numbers = arguments.toArray(byte[][]::new);
        this.calendars = calendars.isEmpty() ? null : calendars.toArray(Calendar[]::new);
        this.stampSizes = plan.limits().stream()
                .mapToInt(limit -> scripts.stampSize(limit.algorithm()) * Double.BYTES)
                .toArray();
        this.stampSize = Arrays.stream(stampSizes).sum();
        this.capacity = plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
    }

    Script script() {
        return script;
    }

    /** How many limits the plan has. */
    int limits() {
        return idBytes.length;
    }

    /** Where the limits are kept, and the home of the first one, if it is kept under the given name. */
    byte[][] keys(byte[] first) {
        byte[][] keys = new byte[idBytes.length + 1][];
        keys[0] = first;
        for (int i = 1; i < idBytes.length; i++) {
            keys[i] = Names.of(first, idBytes[i]);
        }
        keys[idBytes.length] = Names.of(first, idBytes[0]);
        return keys;
    }

    /** The arguments for these operations. Refunds are claimed by this, so it must be asked but once for a batch. */
    byte[][] arguments(List<Operation> operations) {
        byte[][] arguments = Arrays.copyOf(numbers, numbers.length + operations.size());
        for (int i = 0; i < operations.size(); i++) {
            arguments[numbers.length + i] = argument(operations.get(i));
        }
        return arguments;
    }

    /** Puts in the windows of calendars as they are at about that time. */
    void aim(byte[][] arguments, long nowMicros) {
        if (calendars != null) {
            for (Calendar calendar : calendars) {
                arguments[calendar.place] = calendar.windows(nowMicros);
            }
        }
    }

    private byte[] argument(Operation operation) {
        if (operation instanceof Operation.Take take) {
            return take.maxWaitMicros() > 0
                    ? letter('w', take.cost(), take.maxWaitMicros(), 0)
                    : take.cost() == 1 ? ONE : decimal(Math.min(take.cost(), Limit.MOST + 1));
        }
        if (operation instanceof Operation.Peek peek) {
            return letter('p', peek.cost(), 0, 0);
        }
        return operation instanceof Operation.Refund refund ? refund(refund.receipt()) : RESET;
    }

    private byte[] refund(Decision.Allowed receipt) {
        if (!(receipt.stamp() instanceof Stamp stamp)) {
            return letter('p', 1, 0, 0);
        }
        byte[] charge = stamp.under(this);
        long cost = receipt.claimRefund();
        if (cost == 0) {
            return letter('p', 1, 0, 0);
        }
        byte[] argument = letter('r', cost, 0, charge.length);
        System.arraycopy(charge, 0, argument, argument.length - charge.length, charge.length);
        return argument;
    }

    /** What the reply says, one decision for each operation. */
    List<Decision> decisions(byte[] reply, String subject, List<Operation> operations) {
        ByteBuffer numbers = ByteBuffer.wrap(reply);
        if (operations.size() == 1) {
            return List.of(decision(numbers, subject, operations.get(0)));
        }
        List<Decision> decisions = new ArrayList<>(operations.size());
        for (Operation operation : operations) {
            decisions.add(decision(numbers, subject, operation));
        }
        return decisions;
    }

    private Decision decision(ByteBuffer numbers, String subject, Operation operation) {
        long delay = next(numbers);
        boolean takes = operation instanceof Operation.Take;
        boolean granted = takes && delay >= 0;
        long cost = operation instanceof Operation.Take take
                ? take.cost()
                : operation instanceof Operation.Peek peek ? peek.cost() : 1;
        if (idBytes.length == 1 && takes && cost <= capacity && ((Operation.Take) operation).maxWaitMicros() == 0) {
            Limit limit = plan.limits().get(0);
            long remaining = next(numbers);
            long wait = next(numbers);
            long reset = next(numbers);
            Stamp stamp = stamp(numbers, granted);
            return stamp != null
                    ? Decision.Allowed.of(limit, subject, cost, remaining, reset, stamp)
                    : new Decision.Denied(limit, remaining, wait, reset, List.of());
        }
        List<Standing> standings = new ArrayList<>(idBytes.length);
        for (Limit limit : plan.limits()) {
            long remaining = next(numbers);
            long wait = next(numbers);
            long reset = next(numbers);
            long retry = granted ? 0 : cost > limit.burst() ? Standing.NEVER : wait;
            standings.add(new Standing(limit, remaining, retry, reset));
        }
        Stamp stamp = stamp(numbers, granted);
        Decision impossible = Standings.impossible(standings, cost);
        if (impossible != null) {
            return impossible;
        }
        return delay < 0
                ? Standings.denied(standings)
                : Standings.allowed(standings, subject, cost, takes ? delay : 0, stamp);
    }

    private @Nullable Stamp stamp(ByteBuffer numbers, boolean granted) {
        if (!granted) {
            numbers.position(numbers.position() + stampSize);
            return null;
        }
        byte[] charge = new byte[stampSize];
        numbers.get(charge);
        return new Stamp(this, charge);
    }

    private static long next(ByteBuffer numbers) {
        return (long) numbers.getDouble();
    }

    private static byte[] decimal(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] letter(char letter, long cost, long wait, int more) {
        return ByteBuffer.allocate(1 + 2 * Double.BYTES + more)
                .put((byte) letter)
                .putDouble((double) Math.min(cost, Limit.MOST + 1))
                .putDouble((double) wait)
                .array();
    }

    /** The width of the windows a limit is counted in. */
    private static long width(Limit limit) {
        return limit.algorithm().equals("sliding-window") ? (limit.periodMicros() + 9) / 10 : limit.periodMicros();
    }

    /**
     * What a refund needs of a charge.
     *
     * @param charge for every limit the numbers its algorithm noted
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Stamp(Program program, byte[] charge) {

        /** The same numbers in the order another plan has its limits in; nothing for one that was not charged. */
        byte[] under(Program other) {
            if (other == program) {
                return charge;
            }
            ByteBuffer numbers = ByteBuffer.allocate(other.stampSize);
            for (int i = 0; i < other.ids.size(); i++) {
                int place = program.ids.indexOf(other.ids.get(i));
                if (place >= 0
                        && keepsPace(
                                program.plan.limits().get(place),
                                other.plan.limits().get(i))) {
                    int at = Arrays.stream(program.stampSizes, 0, place).sum();
                    numbers.put(charge, at, program.stampSizes[place]);
                } else {
                    for (int left = other.stampSizes[i]; left > 0; left -= Double.BYTES) {
                        numbers.putDouble(-1);
                    }
                }
            }
            return numbers.array();
        }

        /** What is left of a charge in a bucket cannot be told once the bucket flows off at another pace. */
        private static boolean keepsPace(Limit then, Limit now) {
            return !Scripts.isBucket(now.algorithm())
                    || (then.permits() == now.permits() && then.periodMicros() == now.periodMicros());
        }
    }

    /** The windows of a calendar around a time: the previous, the current and the next one. */
    private static final class Calendar {

        final int place;
        private final Window.Calendar window;
        private volatile Bounds last = new Bounds(0, 0, new byte[0]);

        @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
        private record Bounds(long start, long end, byte[] bytes) {}

        Calendar(Window.Calendar window, int place) {
            this.window = window;
            this.place = place;
        }

        byte[] windows(long nowMicros) {
            Bounds bounds = last;
            if (nowMicros < bounds.start || nowMicros >= bounds.end) {
                long start = window.startMicros(nowMicros);
                long end = window.endMicros(nowMicros);
                byte[] bytes = ByteBuffer.allocate(4 * Double.BYTES)
                        .putDouble((double) window.startMicros(start - 1))
                        .putDouble((double) start)
                        .putDouble((double) end)
                        .putDouble((double) window.endMicros(end))
                        .array();
                bounds = new Bounds(start, end, bytes);
                last = bounds;
            }
            return bounds.bytes;
        }
    }
}
