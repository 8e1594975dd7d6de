package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a store that can only block the calling thread on separate threads: otherwise no deadline could be enforced. There are as
 * many threads as calls in flight, which the {@link Bulkhead} bounds.
 */
final class BlockingStoreAdapter implements Store {

    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "headgate-store");
        thread.setDaemon(true);
        return thread;
    });

    private final Store store;

    private BlockingStoreAdapter(Store store) {
        this.store = store;
    }

    /** The store itself if it is in process or overrides {@code applyAsync}; otherwise the store wrapped in this class. */
    static Store unlessAsync(Store store) {
        if (store.inProcess()) {
            return store;
        }
        try {
            Class<?> author = store.getClass()
                    .getMethod("applyAsync", Key.class, Plan.class, Operation.class)
                    .getDeclaringClass();
            return author == Store.class ? new BlockingStoreAdapter(store) : store;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        return store.apply(key, plan, operation);
    }

    @Override
    public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        return CompletableFuture.supplyAsync(() -> store.apply(key, plan, operation), THREADS);
    }

    @Override
    public @Nullable Decision known(Key key, Plan plan, Operation operation) {
        return store.known(key, plan, operation);
    }

    @Override
    public boolean remembers() {
        return store.remembers();
    }

    @Override
    public Object part(Key key) {
        return store.part(key);
    }

    @Override
    public Set<?> parts() {
        return store.parts();
    }

    @Override
    public CompletableFuture<?> probe(Object part) {
        return store.probe(part);
    }

    @Override
    public void check(Plan plan) {
        store.check(plan);
    }
}
