package io.headgate.spring.boot.actuate;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.guard.Guard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Measures the latency of the store itself as {@code headgate.store.latency}, excluding what the guard does when it fails. */
public final class TimedStore implements Store {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final Store store;
    private final Supplier<MeterRegistry> registry;
    private volatile @Nullable Timers timers;

    private record Timers(Timer answered, Timer failed) {}

    /** @param registry called on first use, since registries may depend on the beans that they measure */
    public TimedStore(Store store, Supplier<MeterRegistry> registry) {
        this.store = store;
        this.registry = registry;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        return new TimedLedger(Guard.withoutBlocking(store, scope, plan));
    }

    private final class TimedLedger implements Ledger {

        private final Ledger ledger;

        TimedLedger(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        public Decision apply(String subject, Operation operation) {
            long start = System.nanoTime();
            boolean answered = false;
            try {
                Decision decision = ledger.apply(subject, operation);
                answered = true;
                return decision;
            } finally {
                record(answered, start);
            }
        }

        @Override
        public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
            long start = System.nanoTime();
            return ledger.applyAsync(subject, operation)
                    .whenComplete((decision, failure) -> record(failure == null, start));
        }

        /** Not measured: the store answers from what it remembers, without a round trip. */
        @Override
        public @Nullable Decision known(String subject, Operation operation) {
            return ledger.known(subject, operation);
        }

        @Override
        public boolean remembers() {
            return ledger.remembers();
        }

        @Override
        public Object part(String subject) {
            return ledger.part(subject);
        }
    }

    /** Records a latency. If the registry fails, the measurement is lost, but not the decision. */
    private void record(boolean answered, long start) {
        try {
            Timers known = timers;
            if (known == null) {
                known = new Timers(timer("answered"), timer("failed"));
                timers = known;
            }
            (answered ? known.answered : known.failed).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        } catch (RuntimeException e) {
            LOG.debug("the latency of a store call could not be recorded", e);
        }
    }

    private Timer timer(String outcome) {
        return Timer.builder("headgate.store.latency")
                .description("How long the store took")
                .tag("outcome", outcome)
                .register(registry.get());
    }

    @Override
    public Algorithms algorithms() {
        return store.algorithms();
    }

    @Override
    public boolean inProcess() {
        return store.inProcess();
    }

    @Override
    public boolean blocks() {
        return false; // what blocks runs on threads of its own
    }

    @Override
    public Set<?> parts() {
        return store.parts();
    }

    /** Not measured: no request waits for it. */
    @Override
    public CompletableFuture<?> probe(Object part) {
        return store.probe(part);
    }

    @Override
    public String toString() {
        return store.toString();
    }
}
