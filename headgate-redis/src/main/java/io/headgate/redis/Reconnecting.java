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
import reactor.core.Disposable;

/**
 * Why Redis cannot be connected to again, as long as it cannot. Lettuce says so on its event bus only: the commands that it refuses
 * meanwhile fail for want of a connection, and nobody would learn that, for instance, the password was changed.
 */
final class Reconnecting implements AutoCloseable {

    private final List<RedisURI> uris;
    private final String address;
    private final Disposable subscription;
    private volatile @Nullable StoreException problem;

    Reconnecting(EventBus events, List<RedisURI> uris, String address) {
        this.uris = uris;
        this.address = address;
        this.subscription = events.get().subscribe(this::told);
    }

    private void told(Event event) {
        if (event instanceof ReconnectFailedEvent failed && isOurs(failed.remoteAddress())) {
            problem = Failures.of(failed.getCause(), address);
        } else if (event instanceof ConnectionActivatedEvent connected && isOurs(connected.remoteAddress())) {
            problem = null;
        }
    }

    /** The application may share its event bus with us. */
    private boolean isOurs(SocketAddress remote) {
        return remote instanceof InetSocketAddress address
                && uris.stream()
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

    @Override
    public void close() {
        subscription.dispose();
    }
}
