package io.headgate.http.client;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import io.headgate.engine.LedgerLimiter;
import io.headgate.http.LedgerFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands out permits to send requests to the hosts of one {@link OutgoingClient}.
 *
 * <p>A permit takes three steps. The client's own limits come first: a {@link RateLimiter} waits for them. Then follows what this
 * instance has {@linkplain LearnedBudget learned} from the server, and last the {@linkplain SharedPause pause} that any instance may have
 * learned, so that nothing that was learned during a wait is missed. Thread-safe.
 */
public final class OutgoingLimiter {

    /** Of how many hosts it is kept what was learned; further ones share. */
    private static final int MOST_BUDGETS = 10_000;

    private static final System.Logger LOG = System.getLogger(OutgoingLimiter.class.getName());

    final OutgoingClient client;
    final TimeSource time;
    final long maxWaitMicros;
    final @Nullable RateLimiter limits;
    final @Nullable SharedPause pause;

    private final AnswerReader reader;
    private final AtomicLong places = new AtomicLong();
    private final LearnedBudget shared;
    private final ConcurrentHashMap<String, LearnedBudget> budgets = new ConcurrentHashMap<>();

    OutgoingLimiter(OutgoingClient client, LedgerFactory ledgers, TimeSource time, String usualAlgorithm) {
        this.client = client;
        this.time = time;
        this.maxWaitMicros = Math.min(client.maxWait().toSeconds(), 366L * 86_400) * 1_000_000
                + client.maxWait().toNanosPart() / 1_000;
        String scope = "client:" + client.name();
        this.limits = client.plan(usualAlgorithm)
                .map(plan -> new LedgerLimiter(scope, plan, ledgers.bind(scope, plan, client.onStoreFailure()), time))
                .orElse(null);
        this.pause = client.learn() ? new SharedPause(ledgers, client) : null;
        this.reader = new AnswerReader(client.name(), client.maxPause().toNanos() / 1_000, time);
        this.shared = new LearnedBudget(time);
    }

    public String name() {
        return client.name();
    }

    /**
     * Waits for a permit on this thread.
     *
     * @param host where the request goes; one of the hosts of the client
     * @throws OutgoingLimitException if the wait is longer than the client allows
     * @throws InterruptedException if interrupted while waiting; the permit is given back
     */
    public OutgoingPermit acquire(String host) throws InterruptedException {
        CompletableFuture<OutgoingPermit> waiting = acquireAsync(host);
        try {
            return waiting.get();
        } catch (InterruptedException e) {
            if (!waiting.cancel(true)) {
                waiting.thenAccept(OutgoingPermit::giveBack);
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OutgoingLimitException limit) {
                limit.setStackTrace(new Throwable().getStackTrace()); // that of the caller, not of whoever denied it
                throw limit;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** As {@link #acquire}, on no thread. Cancelling the future leaves the line, and gives back what it has got. */
    public CompletableFuture<OutgoingPermit> acquireAsync(String host) {
        String subject = client.perHost() ? OutgoingLimits.sameForAll(host) : RateLimiter.EVERYBODY;
        PendingPermit pending = new PendingPermit(this, subject);
        pending.start();
        return pending;
    }

    /** A place behind everybody who has asked before. */
    long nextPlace() {
        return places.incrementAndGet();
    }

    LearnedBudget budget(String subject) {
        if (!client.perHost()) {
            return shared;
        }
        LearnedBudget known = budgets.get(subject);
        if (known != null) {
            return known;
        }
        if (budgets.size() >= MOST_BUDGETS) {
            budgets.values().removeIf(LearnedBudget::isIdle);
        }
        return budgets.size() >= MOST_BUDGETS
                ? shared
                : budgets.computeIfAbsent(subject, missing -> new LearnedBudget(time));
    }

    void answered(
            String subject,
            LearnedBudget budget,
            LearnedBudget.Slot slot,
            int status,
            Function<String, @Nullable String> headers) {
        List<ToldBudget> told;
        try {
            told = reader.read(status, headers);
        } catch (RuntimeException e) { // the answer must reach the caller whatever the server has written
            LOG.log(System.Logger.Level.DEBUG, "the headers of an answer cannot be read", e);
            told = List.of();
        }
        long until = budget.answered(slot, told);
        if (until > 0 && pause != null) {
            pause.extend(subject, until);
        }
    }

    void giveBack(
            Decision.@Nullable Allowed charge, @Nullable LearnedBudget budget, LearnedBudget.@Nullable Slot slot) {
        if (slot != null && budget != null) {
            budget.giveBack(slot);
        }
        if (charge != null && limits != null) {
            limits.refundAsync(charge).exceptionally(failure -> {
                LOG.log(System.Logger.Level.WARNING, "a permit that was not used was not given back", failure);
                return null;
            });
        }
    }

    static String usualAlgorithm() {
        return Algorithms.TOKEN_BUCKET;
    }
}
