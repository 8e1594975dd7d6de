package io.headgate.http.client;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.http.LedgerFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * How long nobody may send, kept in the store for all instances.
 *
 * <p>A pause is a token bucket that refills one token per millisecond and is full unless there is a pause: the missing tokens are the
 * milliseconds left. {@link #check} asks for all tokens and so learns when they are back. {@link #extend} to M milliseconds takes from a
 * bucket of M tokens whatever is left in it. The store grants that only if no more than M are missing afterwards. So in whatever order
 * instances do this, the pause lasts until the latest time that any of them was told, and never longer. Every store can do it, in the same
 * atomic step as any other decision.
 */
final class SharedPause {

    /** Each attempt that fails means that another instance has just extended the pause. */
    private static final int ATTEMPTS = 8;

    private static final System.Logger LOG = System.getLogger(OutgoingLimiter.class.getName());

    private final LedgerFactory ledgers;
    private final String scope;
    private final FailurePolicy policy;
    private final Ledger longest;
    private final Operation all;

    SharedPause(LedgerFactory ledgers, OutgoingClient client) {
        this.ledgers = ledgers;
        this.scope = "client-pause:" + client.name();
        this.policy = client.onStoreFailure();
        long millis = client.maxPause().toMillis();
        this.longest = ledgers.bind(scope, bucket(millis), policy);
        this.all = new Operation.Peek(millis);
    }

    private static Plan bucket(long millis) {
        return Plan.of(Limit.of(1_000).per(Duration.ofSeconds(1)).burst(millis));
    }

    /** A denial if there is a pause, with the time until it is over. Throws nothing: whoever waits could wait forever. */
    CompletableFuture<Decision> check(String subject) {
        try {
            Decision known = longest.known(subject, all);
            return known != null ? CompletableFuture.completedFuture(known) : longest.applyAsync(subject, all);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes the pause last for the given time from now on, if it does not last longer anyway. */
    void extend(String subject, long micros) {
        long millis = Math.max(1, (micros + 999) / 1_000);
        Ledger ledger = ledgers.bind(scope, bucket(millis), policy);
        CompletableFuture<Ledger> bound = CompletableFuture.completedFuture(ledger); // so that nothing is thrown here
        bound.thenCompose(each -> fill(each, subject, ATTEMPTS)).exceptionally(failure -> {
            LOG.log(System.Logger.Level.WARNING, "other instances do not know that a server wants us to wait", failure);
            return null;
        });
    }

    private static CompletableFuture<Decision> fill(Ledger ledger, String subject, int attempts) {
        return ledger.applyAsync(subject, Operation.PEEK).thenCompose(seen -> {
            if (seen.remaining() == 0 || seen.degraded() || attempts == 0) {
                return CompletableFuture.completedFuture(seen);
            }
            return ledger.applyAsync(subject, Operation.Take.of(seen.remaining()))
                    .thenCompose(taken -> taken.allowed()
                            ? CompletableFuture.completedFuture(taken)
                            : fill(ledger, subject, attempts - 1));
        });
    }
}
