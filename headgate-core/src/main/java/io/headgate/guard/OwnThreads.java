package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A store that knows only how to hold the calling thread, asked on threads of its own: no deadline could be held otherwise. There
 * are as many as calls in flight, which the {@link Bulkhead} bounds.
 */
final class OwnThreads implements Store {

    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "headgate-store");
        thread.setDaemon(true);
        return thread;
    });

    private final Store store;

    private OwnThreads(Store store) {
        this.store = store;
    }

    /** The store, or this around it if it does not say itself how to be asked without holding the thread. */
    static Store unlessAsync(Store store) {
        if (store.inProcess()) {
            return store;
        }
        try {
            Class<?> author = store.getClass()
                    .getMethod("applyAsync", Key.class, Plan.class, Operation.class)
                    .getDeclaringClass();
            return author == Store.class ? new OwnThreads(store) : store;
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
    public void check(Plan plan) {
        store.check(plan);
    }
}
