package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a ledger that blocks the calling thread on separate threads: otherwise no deadline could be enforced. There are as many threads as
 * calls in flight, which the {@link Circuit} bounds.
 */
final class BlockingLedger implements Ledger {

    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "headgate-store");
        thread.setDaemon(true);
        return thread;
    });

    private final Ledger ledger;

    BlockingLedger(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public Decision apply(String subject, Operation operation) {
        return ledger.apply(subject, operation);
    }

    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        return CompletableFuture.supplyAsync(() -> ledger.apply(subject, operation), THREADS);
    }

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
