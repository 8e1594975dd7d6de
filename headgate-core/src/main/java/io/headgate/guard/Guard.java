package io.headgate.guard;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Protects callers from a store that can fail: no check waits for the store longer than a deadline, a store that keeps failing is
 * not called for a while, and each limiter then gets the answer that its {@link FailurePolicy} determines.
 *
 * <p>{@link #bind} is how limiters reach the store; each has a policy of its own, and they share everything else. Decisions made without the store
 * are {@linkplain Decision#degraded marked}. Failures are counted here by reason, and logged when an outage begins and when it
 * ends. If the store can be {@linkplain Store#probe probed}, both are noticed without requests too.
 */
public final class Guard {

    private static final System.Logger LOG = System.getLogger(Guard.class.getName());

    private final Store store;
    private final Store memory;
    private final LastKnown lastKnown;
    private final GuardSettings settings;
    private final TimeSource time;
    private final ConcurrentHashMap<Object, Circuit> circuits = new ConcurrentHashMap<>();
    private final Outage outage = new Outage();
    private final Map<StoreException.Reason, LongAdder> failures = new EnumMap<>(StoreException.Reason.class);
    private final LongAdder takenBack = new LongAdder();
    private final AtomicLong graceEndedOf = new AtomicLong(Long.MIN_VALUE);
    private final Prober prober;

    /**
     * A guard in front of a store.
     *
     * @param memory the in-process store that limits while {@code store} fails; it does not fail itself
     * @param time the time of this process, for deadlines and waits
     */
    public Guard(Store store, Store memory, GuardSettings settings, TimeSource time) {
        this.store = store;
        this.memory = memory;
        this.time = time;
        this.settings = settings;
        this.lastKnown = new LastKnown(time, LastKnown.GENERATION);
        for (StoreException.Reason reason : StoreException.Reason.values()) {
            failures.put(reason, new LongAdder());
        }
        this.prober = new Prober(this, this.store, settings, time);
        prober.start();
        if (settings.instances() == GuardSettings.UNSET) {
            LOG.log(
                    WARNING,
                    "nobody has said how many instances share the store, so each grants the full limit while it"
                            + " fails: n of them up to n times the limit");
        }
    }

    /**
     * Binds a plan to the guarded store, with the given policy for failures.
     *
     * @throws IllegalArgumentException if the store, or the in-process store that stands in for it, cannot apply the plan
     */
    public Ledger bind(String scope, Plan plan, FailurePolicy policy) {
        Ledger bound = withoutBlocking(store, scope, plan);
        int instances = Math.max(1, settings.instances());
        long retryMicros = settings.openFor().toNanos() / 1_000;
        LocalShare local = new LocalShare(scope, plan, memory, instances, lastKnown, retryMicros);
        return new GuardedLedger(this, policy, plan, bound, local);
    }

    /** The guarded store with one policy for all its ledgers. */
    public Store store(FailurePolicy policy) {
        return new Store() {
            @Override
            public Ledger bind(String scope, Plan plan) {
                return Guard.this.bind(scope, plan, policy);
            }

            @Override
            public Algorithms algorithms() {
                return store.algorithms();
            }

            @Override
            public boolean blocks() {
                return false;
            }
        };
    }

    /** How many operations got no answer from the store for the given reason. */
    public long failures(StoreException.Reason reason) {
        LongAdder count = failures.get(reason);
        return count == null ? 0 : count.sum();
    }

    /** How many grants arrived after the deadline, when the request had already been answered without a grant, and were taken back. */
    public long takenBack() {
        return takenBack.sum();
    }

    /** How long the store has been failing, up to the moment at which it is logged as back; zero if it is not failing. */
    public Duration failingFor() {
        Outage.State current = outage.current();
        return current == null ? Duration.ZERO : micros(time.nowMicros() - current.sinceMicros());
    }

    /**
     * How many parts of the store have an open circuit breaker because they kept failing; a store that is not distributed is one
     * part.
     */
    public int openCircuits() {
        return (int) circuits.values().stream().filter(Circuit::isOpen).count();
    }

    /** Binds a plan to a store so that {@code applyAsync} does not block: a store that blocks runs on separate threads. */
    public static Ledger withoutBlocking(Store store, String scope, Plan plan) {
        Ledger bound = store.bind(scope, plan);
        return store.blocks() ? new BlockingLedger(bound) : bound;
    }

    /** The circuit of a part of the store; a failing part does not affect the others. */
    Circuit circuitOf(Object part) {
        Circuit known = circuits.get(part);
        return known != null ? known : circuits.computeIfAbsent(part, missing -> new Circuit(settings, time));
    }

    /** Records that the store answered. */
    void answered() {
        if (outage.current() == null) {
            return;
        }
        long now = time.nowMicros();
        Outage.State over = outage.answers(now);
        if (over != null) {
            LOG.log(
                    INFO,
                    "the store is back; it had failed for {0}, and {1} operations went without it",
                    micros(now - over.sinceMicros()),
                    over.failures());
        }
    }

    void failed(StoreException why) {
        LongAdder count = failures.get(why.reason());
        if (count != null) {
            count.increment();
        }
        if (outage.fails(time.nowMicros())) {
            warn(why);
        }
    }

    /** Records that probes have gone unanswered since the given time. They are not operations, and not counted as such. */
    void missed(long sinceMicros, StoreException why) {
        if (outage.misses(sinceMicros, time.nowMicros())) {
            warn(why);
        }
    }

    private static void warn(StoreException why) {
        LOG.log(WARNING, "the store fails, and limiters go by their failure policy until it is back", why);
    }

    boolean isFailing() {
        return outage.current() != null;
    }

    /** Whether {@link FailurePolicy#OPEN} still lets requests through. The grace time runs from the beginning of the outage. */
    boolean isOpen() {
        Duration openGrace = settings.openGrace();
        Outage.State current = outage.current();
        if (openGrace == null || current == null) {
            return true;
        }
        boolean open = micros(time.nowMicros() - current.sinceMicros()).compareTo(openGrace) < 0;
        if (!open && graceEndedOf.getAndSet(current.sinceMicros()) != current.sinceMicros()) {
            LOG.log(
                    WARNING,
                    "the store has failed for {0}: what was open is limited in process from now on",
                    openGrace);
        }
        return open;
    }

    /**
     * Takes back a grant that arrived too late to be of use: with one attempt, and without asking the circuit breaker, since the
     * store has just answered.
     */
    void takeBack(Ledger ledger, Decision.Allowed late) {
        takenBack.increment();
        Circuit.begin(() -> ledger.applyAsync(late.subject(), new Operation.Refund(late)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.log(DEBUG, "a late grant was not taken back", failure);
                    }
                });
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
