package io.headgate.guard;

import static java.lang.System.Logger.Level.DEBUG;

import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Probes the parts of a store from which no request has heard for a moment, so that an outage is noticed, and its end too, without
 * traffic. While requests tell how the store is, nothing is sent.
 *
 * <p>It looks at the parts at fixed intervals, one look at a time. It ends when the store has no parts to probe, because it cannot be
 * probed or is closed, and when nobody uses the guard any more.
 */
final class Prober {

    /** The time between two looks. */
    static final long LOOK_MICROS = 250_000;

    /** How long after the last word from a part it is probed; during an outage at every look. */
    static final long QUIET_MICROS = 750_000;

    /** How long a probe waits for an answer, unless the deadline of a check is shorter. */
    private static final long PATIENCE_MICROS = 250_000;

    /** How many probes in a row must fail before an outage begins: one may only have met a pause of this process. */
    private static final int MISSES = 2;

    private static final System.Logger LOG = System.getLogger(Guard.class.getName());

    private final Guard guard;
    private final Store store;
    private final TimeSource time;
    private final long patienceMicros;
    private final Map<Object, Part> parts = new HashMap<>();

    Prober(Guard guard, Store store, GuardSettings settings, TimeSource time) {
        this.guard = guard;
        this.store = store;
        this.time = time;
        this.patienceMicros = Math.min(PATIENCE_MICROS, settings.deadline().toNanos() / 1_000);
    }

    /** Looks at the parts from now on, if there are any, for as long as somebody else refers to this object. */
    void start() {
        if (!store.parts().isEmpty()) {
            lookLater(new WeakReference<>(this), time);
        }
    }

    private static void lookLater(WeakReference<Prober> reference, TimeSource time) {
        time.after(LOOK_MICROS).thenRun(() -> {
            Prober prober = reference.get();
            if (prober != null && prober.look()) {
                lookLater(reference, time);
            }
        });
    }

    /** Looks at every part once; returns whether there are any. */
    private boolean look() {
        try {
            Set<?> present = store.parts();
            parts.keySet().retainAll(present);
            for (Object part : present) {
                parts.computeIfAbsent(part, Part::new).look();
            }
            return !present.isEmpty();
        } catch (RuntimeException e) {
            LOG.log(DEBUG, "the store could not be probed", e);
            return true;
        }
    }

    /** One part of the store, and the probe to it that is under way. */
    private final class Part {

        private final Object name;
        private final Circuit circuit;
        private @Nullable CompletableFuture<?> answer;
        private long sentMicros;
        private int misses;
        private long missedMicros;

        Part(Object name) {
            this.name = name;
            this.circuit = guard.circuitOf(name);
        }

        void look() {
            settle();
            boolean uncertain = misses > 0 || guard.isFailing();
            long now = time.nowMicros();
            if (answer == null && now - circuit.lastHeardMicros() >= (uncertain ? LOOK_MICROS : QUIET_MICROS)) {
                sentMicros = now;
                answer = Circuit.begin(() -> store.probe(name));
                if (answer.isDone()) {
                    settle();
                }
            }
        }

        /** Takes note of the outcome of the probe, if it has one. */
        private void settle() {
            CompletableFuture<?> probe = answer;
            if (probe == null) {
                return;
            }
            long now = time.nowMicros();
            boolean done = probe.isDone();
            if (!done && now - sentMicros < patienceMicros) {
                return;
            }
            StoreException failure = done ? failure(probe) : late();
            answer = done ? null : probe;
            if (circuit.lastHeardMicros() > sentMicros) { // by a request, which says more than a probe
                misses = 0;
            } else if (failure == null || !Circuit.countsAgainst(failure)) {
                misses = 0;
                circuit.probed(false);
                guard.answered();
            } else {
                missedMicros = misses == 0 ? sentMicros : missedMicros;
                misses++;
                if (misses >= MISSES || guard.isFailing()) {
                    circuit.probed(true);
                    guard.missed(missedMicros, failure);
                }
            }
        }

        private StoreException late() {
            return new GuardException(
                    Reason.TIMEOUT, "the store did not answer a probe within " + patienceMicros / 1_000.0 + " ms");
        }
    }

    private static @Nullable StoreException failure(CompletableFuture<?> probe) {
        Throwable[] failure = new Throwable[1];
        probe.whenComplete((answer, thrown) -> failure[0] = thrown);
        return failure[0] == null ? null : Circuit.storeException(failure[0]);
    }
}
