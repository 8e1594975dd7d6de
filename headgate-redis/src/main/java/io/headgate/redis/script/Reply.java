package io.headgate.redis.script;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Standing;
import io.headgate.engine.Grant;
import io.headgate.engine.Standings;
import java.util.ArrayList;
import java.util.List;

/** The reply of a plan's script, as decisions. {@code plan.lua} describes it. */
final class Reply {

    private final Program program;
    private final String subject;
    private final List<Object> values;
    private int next;

    Reply(Program program, String subject, List<Object> values) {
        this.program = program;
        this.subject = subject;
        this.values = values;
    }

    /** One decision for each operation. */
    List<Decision> decisions(List<Operation> operations) {
        if (operations.size() == 1) {
            return List.of(decision(operations.get(0)));
        }
        List<Decision> decisions = new ArrayList<>(operations.size());
        for (Operation operation : operations) {
            decisions.add(decision(operation));
        }
        return decisions;
    }

    private Decision decision(Operation operation) {
        boolean takes = operation instanceof Operation.Take;
        long cost = Program.cost(operation);
        long delay = number();
        if (program.limits.length == 1
                && takes
                && delay <= 0
                && cost <= program.limits[0].limit().burst()) {
            return taken(program.limits[0].limit(), cost, delay);
        }
        List<Standing> standings = new ArrayList<>(program.limits.length);
        for (PlannedLimit each : program.limits) {
            long remaining = number();
            long wait = number();
            standings.add(new Standing(each.limit(), remaining, wait < 0 ? Standing.NEVER : wait, number(), number()));
        }
        if (delay >= 0) {
            return Standings.allowed(standings, subject, cost, delay, takes ? stamp() : null);
        }
        Decision impossible = Standings.impossible(standings, cost);
        return impossible != null ? impossible : Standings.denied(standings);
    }

    /** The usual case: one limit, now or not at all. */
    private Decision taken(Limit limit, long cost, long delay) {
        long remaining = number();
        long wait = number();
        long full = number();
        long more = number();
        return delay == 0
                ? Grant.of(limit, subject, cost, remaining, full, more, stamp())
                : new Decision.Denied(limit, remaining, wait, full, List.of());
    }

    private Stamp stamp() {
        byte[][] charges = new byte[program.limits.length][];
        for (int i = 0; i < charges.length; i++) {
            charges[i] = (byte[]) values.get(next++);
        }
        return new Stamp(program, charges);
    }

    private long number() {
        return (Long) values.get(next++);
    }
}
