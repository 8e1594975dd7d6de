package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Standing;
import io.headgate.Standings;
import io.headgate.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits in this process while the store fails: every limit is divided by the number of instances, but never below one permit.
 *
 * <p>A key starts with its share of what remained when the store last answered. To get there, the excess is spent like a request:
 * one permit first, since under some algorithms that is enough, then the rest of the excess. Under a plan of several limits the
 * same number is taken from each, so some may keep more than their share of what remained, but none ends up with less.
 */
final class LocalShare {

    private static final int MAX_PLANS = 1024;

    private final Store memory;
    private final int instances;
    private final LastKnown lastKnown;
    private final long retryMicros;
    private final ConcurrentHashMap<Plan, Plan> shares = new ConcurrentHashMap<>();

    /** @param retryMicros the wait that is announced for a cost that only the store can grant */
    LocalShare(Store memory, int instances, LastKnown lastKnown, long retryMicros) {
        this.memory = memory;
        this.instances = instances;
        this.lastKnown = lastKnown;
        this.retryMicros = retryMicros;
    }

    void check(Plan plan) {
        memory.check(share(plan));
    }

    Decision apply(Key key, Plan plan, Operation operation) {
        Plan share = share(plan);
        lastKnown.use(key, known -> seed(key, plan, share, known));
        Decision decision = memory.apply(key, share, operation);
        return (decision.allowed() ? decision : denial(decision.limits(), plan, cost(operation))).asDegraded();
    }

    /** Gives the key its full share. */
    void reset(Key key, Plan plan) {
        lastKnown.forget(key);
        memory.apply(key, share(plan), Operation.RESET);
    }

    Plan share(Plan plan) {
        if (instances == 1) {
            return plan;
        }
        Plan known = shares.get(plan);
        if (known != null) {
            return known;
        }
        if (shares.size() >= MAX_PLANS) {
            shares.clear();
        }
        Plan share = new Plan(plan.limits().stream().map(this::share).toList());
        shares.put(plan, share);
        return share;
    }

    private Limit share(Limit limit) {
        return new Limit(part(limit.permits()), limit.window(), part(limit.burst()), limit.algorithm(), limit.name());
    }

    private long part(long permits) {
        return permits == 0 ? 0 : Math.max(1, permits / instances);
    }

    private void seed(Key key, Plan plan, Plan share, Decision known) {
        if (isOf(plan, known.limits()) && excess(memory.apply(key, share, Operation.PEEK), known) > 0) {
            long rest = excess(memory.apply(key, share, Operation.ONE), known);
            if (rest > 0) {
                memory.apply(key, share, new Operation.Take(rest, 0));
            }
        }
    }

    private static boolean isOf(Plan plan, List<Standing> standings) {
        return standings.stream().map(Standing::limit).toList().equals(plan.limits());
    }

    /** How much every limit has left, at least, beyond its share of what remained in the store. */
    private static long excess(Decision here, Decision there) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < there.limits().size(); i++) {
            Standing ours = here.limits().get(i);
            Standing theirs = there.limits().get(i);
            long whole = Math.max(1, theirs.limit().burst());
            least = Math.min(
                    least, ours.remaining() - theirs.remaining() * ours.limit().burst() / whole);
        }
        return least;
    }

    /** The denial in terms of the undivided limits: a cost that exceeds a share but not the limit has to wait for the store. */
    private Decision denial(List<Standing> ours, Plan plan, long cost) {
        List<Standing> standings = new ArrayList<>(ours.size());
        for (int i = 0; i < ours.size(); i++) {
            Limit whole = plan.limits().get(i);
            Standing part = ours.get(i);
            boolean beyond = part.retryAfterMicros() == Standing.NEVER && cost <= whole.burst();
            long wait = beyond ? retryMicros : part.retryAfterMicros();
            standings.add(new Standing(whole, part.remaining(), wait, part.resetAfterMicros(), part.moreAfterMicros()));
        }
        Decision impossible = Standings.impossible(standings, cost);
        return impossible != null ? impossible : Standings.denied(standings);
    }

    /** Whether no store could ever grant the operation. */
    static boolean isImpossible(Plan plan, Operation operation) {
        for (Limit limit : plan.limits()) {
            if (cost(operation) > limit.burst()) {
                return true;
            }
        }
        return false;
    }

    private static long cost(Operation operation) {
        if (operation instanceof Operation.Take take) {
            return take.cost();
        }
        return operation instanceof Operation.Peek peek ? peek.cost() : 1;
    }
}
