package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Keeps the limits that many instances share in Redis. */
public final class RedisStore implements Store, AutoCloseable {

    private final Link link;
    private final Algorithms algorithms;
    private final Lane lane;

    private RedisStore(Link link, Algorithms algorithms, Lane lane) {
        this.link = link;
        this.algorithms = algorithms;
        this.lane = lane;
    }

    public static RedisStore connect(String uri) {
        Link link = Link.to(RedisURI.create(uri), null, ClientOptions.create(), Duration.ofSeconds(1))
                .open();
        return new RedisStore(
                link,
                Headgate.algorithms(),
                Lane.of(new ScriptBackend(link, Names.hashed(Names.DEFAULT_PREFIX), new Scripts())));
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        try {
            return lane.apply(key, plan, operation).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException failure) {
                throw failure;
            }
            throw e;
        }
    }

    @Override
    public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        return lane.apply(key, plan, operation);
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    @Override
    public void close() {
        link.close();
    }
}
