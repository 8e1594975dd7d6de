package io.headgate.redis;

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
 * Why Redis cannot be connected to again, as long as it cannot. Lettuce says so on its event bus only: the commands that it refuses
 * meanwhile fail for want of a connection, and nobody would learn that, for instance, the password was changed.
 *
 * <p>The application may share its event bus with us. So this stands before it: what is published here is of our connections only.
 */
final class Reconnecting implements EventBus {

    private final EventBus shared;
    private final List<RedisURI> sentinels;
    private final String address;
    private volatile @Nullable StoreException problem;

    Reconnecting(EventBus shared, List<RedisURI> uris, String address) {
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

    /** The failure, or what stands behind it if that is known. */
    StoreException explain(StoreException failure) {
        StoreException why = problem;
        return why == null || failure.reason() != Reason.UNREACHABLE
                ? failure
                : new StoreException(why.reason(), String.valueOf(why.getMessage()), failure);
    }
}
