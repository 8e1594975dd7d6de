package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Standing;
import io.headgate.Store;
import io.headgate.engine.Standings;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits one plan in this process while the store fails: every limit is divided by the number of instances, but never below one permit.
 *
 * <p>A key starts with its share of what remained when the store last answered. To get there, the excess is spent like a request:
 * one permit first, since under some algorithms that is enough, then the rest of the excess. Under a plan of several limits the
 * same number is taken from each, so some may keep more than their share of what remained, but none ends up with less.
 */
final class LocalShare {

    private final String scope;
    private final Plan plan;
    private final Ledger ledger;
    private final int instances;
    private final LastKnown lastKnown;
    private final long retryMicros;

    /**
     * @param memory where this process keeps its share; it does not fail
     * @param retryMicros the wait that is announced for a cost that only the store can grant
     */
    LocalShare(String scope, Plan plan, Store memory, int instances, LastKnown lastKnown, long retryMicros) {
        this.scope = scope;
        this.plan = plan;
        this.instances = instances;
        this.lastKnown = lastKnown;
        this.retryMicros = retryMicros;
        this.ledger = memory.bind(scope, share());
    }

    Decision apply(String subject, Operation operation) {
        lastKnown.use(new Key(scope, subject), known -> seed(subject, known));
        Decision decision = ledger.apply(subject, operation);
        return (decision.allowed() ? decision : denial(decision.standings(), cost(operation))).asDegraded();
    }

    /** Gives the subject its full share. */
    void reset(String subject) {
        lastKnown.forget(new Key(scope, subject));
        ledger.apply(subject, Operation.RESET);
    }

    /** Notes what the store answered, so that the share starts there if the store fails. */
    void remember(String subject, Decision decision) {
        lastKnown.remember(new Key(scope, subject), decision);
    }

    private Plan share() {
        return instances == 1
                ? plan
                : new Plan(plan.limits().stream().map(this::share).toList());
    }

    private Limit share(Limit limit) {
        return new Limit(part(limit.permits()), limit.window(), part(limit.burst()), limit.algorithm(), limit.name());
    }

    private long part(long permits) {
        return permits == 0 ? 0 : Math.max(1, permits / instances);
    }

    private void seed(String subject, Decision known) {
        if (isOfThisPlan(known.standings()) && excess(ledger.apply(subject, Operation.PEEK), known) > 0) {
            long rest = excess(ledger.apply(subject, Operation.ONE), known);
            if (rest > 0) {
                ledger.apply(subject, Operation.Take.of(rest));
            }
        }
    }

    private boolean isOfThisPlan(List<Standing> standings) {
        return standings.stream().map(Standing::limit).toList().equals(plan.limits());
    }

    /** How much every limit has left, at least, beyond its share of what remained in the store. */
    private static long excess(Decision here, Decision there) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < there.standings().size(); i++) {
            Standing ours = here.standings().get(i);
            Standing theirs = there.standings().get(i);
            long whole = Math.max(1, theirs.limit().burst());
            least = Math.min(
                    least, ours.remaining() - theirs.remaining() * ours.limit().burst() / whole);
        }
        return least;
    }

    /** The denial in terms of the undivided limits: a cost that exceeds a share but not the limit has to wait for the store. */
    private Decision denial(List<Standing> ours, long cost) {
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
    boolean isImpossible(Operation operation) {
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
