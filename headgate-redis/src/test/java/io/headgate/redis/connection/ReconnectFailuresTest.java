package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.event.DefaultEventBus;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** Why there is no connection, where the nodes are not those that were named. */
class ReconnectFailuresTest {

    private static final InetSocketAddress HERE = InetSocketAddress.createUnresolved("here", 1);
    private static final InetSocketAddress SENTINEL = InetSocketAddress.createUnresolved("sentinel", 26379);
    private static final InetSocketAddress MASTER = InetSocketAddress.createUnresolved("master", 6379);
    private final StoreException lost = new StoreException(Reason.UNREACHABLE, "there is no connection");

    private final EventBus shared = new DefaultEventBus(Schedulers.immediate());
    private final ReconnectFailures failures =
            new ReconnectFailures(shared, List.of(RedisURI.create("redis-sentinel://sentinel#main")), "sentinel");

    @Test
    void saysWhyAMasterThatSentinelsNamedCannotBeConnectedTo() {
        fails(MASTER);

        assertThat(failures.explain(lost))
                .returns(Reason.UNAUTHORIZED, StoreException::reason)
                .hasMessageContaining("WRONGPASS");
    }

    /** Lettuce asks a Sentinel before each attempt. */
    @Test
    void knowsItAlsoWhileASentinelIsAsked() {
        fails(MASTER);
        failures.publish(new ConnectionActivatedEvent(HERE, SENTINEL));

        assertThat(failures.explain(lost).reason()).isEqualTo(Reason.UNAUTHORIZED);
    }

    @Test
    void forgetsItOnceItIsConnected() {
        fails(MASTER);
        failures.publish(new ConnectionActivatedEvent(HERE, MASTER));

        assertThat(failures.explain(lost)).isSameAs(lost);
    }

    @Test
    void tellsTheApplicationWhatHappensHereAndDoesNotListenToIt() {
        List<Event> heard = new ArrayList<>();
        shared.get().subscribe(heard::add);
        fails(MASTER);
        failures.publish(new ConnectionActivatedEvent(HERE, MASTER));
        assertThat(heard).hasSize(2);

        shared.publish(failure(MASTER));
        assertThat(failures.explain(lost)).isSameAs(lost);
    }

    private void fails(InetSocketAddress remote) {
        failures.publish(failure(remote));
    }

    private static Event failure(InetSocketAddress remote) {
        return new ReconnectFailedEvent(
                HERE, remote, new RedisCommandExecutionException("WRONGPASS invalid username-password pair"), 1);
    }
}
