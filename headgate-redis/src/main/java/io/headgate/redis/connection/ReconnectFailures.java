package io.headgate.redis.connection;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisURI;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Remembers why reconnecting to Redis fails, as long as it does. Lettuce reports the reason only on its event bus: the commands that
 * it rejects meanwhile fail for lack of a connection, and nobody would learn, for instance, that the password was changed.
 *
 * <p>The application may share its event bus with the store. So this event bus wraps the shared one: only events of the store's own
 * connections are published here.
 */
final class ReconnectFailures implements EventBus {

    private final EventBus shared;
    private final List<RedisURI> sentinels;
    private final String address;
    private volatile @Nullable StoreException problem;

    ReconnectFailures(EventBus shared, List<RedisURI> uris, String address) {
        this.shared = shared;
        this.sentinels =
                uris.stream().flatMap(uri -> uri.getSentinels().stream()).toList();
        this.address = address;
    }

    @Override
    public void publish(Event event) {
        if (event instanceof ReconnectFailedEvent failed) {
            problem = Failures.of(failed.getCause(), address);
        } else if (event instanceof ConnectionActivatedEvent connected && !isSentinel(connected.remoteAddress())) {
            problem = null;
        }
        shared.publish(event);
    }

    @Override
    public Flux<Event> get() {
        return shared.get();
    }

    private boolean isSentinel(SocketAddress remote) {
        return remote instanceof InetSocketAddress address
                && sentinels.stream()
                        .anyMatch(uri -> uri.getPort() == address.getPort()
                                && address.getHostString().equals(uri.getHost()));
    }

    /** Replaces a failure for lack of a connection by the reason why reconnecting fails, if that is known. */
    StoreException explain(StoreException failure) {
        StoreException why = problem;
        return why == null || failure.reason() != Reason.UNREACHABLE
                ? failure
                : new StoreException(why.reason(), String.valueOf(why.getMessage()), failure);
    }
}
