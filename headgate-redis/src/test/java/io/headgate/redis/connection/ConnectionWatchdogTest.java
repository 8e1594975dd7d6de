package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ConnectionFacade;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Which connections are closed, by what has happened to them. Time is that of each channel. */
class ConnectionWatchdogTest {

    private static final ClientResources RESOURCES = ClientResources.create();

    private final ConnectionWatchdog watch = new ConnectionWatchdog(new NettyCustomizer() {}, Duration.ofMillis(100));
    private final DefaultEndpoint endpoint = endpoint();

    @AfterAll
    static void stop() {
        RESOURCES.shutdown(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void leavesAConnectionThatHasNothingToDoAlone() {
        Connection only = new Connection(endpoint);
        only.pass(Duration.ofMinutes(1));

        assertThat(only.channel.isOpen()).isTrue();
    }

    /** Known bug R7: a Redis that is frozen answers nothing and ends nothing. */
    @Test
    void closesAConnectionThatOwesAnAnswerForTooLong() {
        Connection only = new Connection(endpoint);
        only.ask();
        only.pass(Duration.ofMillis(101));
        assertThat(only.channel.isOpen()).isTrue();
        only.pass(Duration.ofMillis(100));

        assertThat(only.channel.isOpen()).isFalse();
        assertThat(only.heard).containsExactly("inactive", "unregistered");
    }

    /** Lettuce makes two when one is cut while it is made, and would keep both. */
    @Test
    void closesAConnectionThatAnotherHasTakenThePlaceOf() {
        Connection earlier = new Connection(endpoint);
        Connection later = new Connection(endpoint);
        earlier.pass(Duration.ofMillis(201));
        later.pass(Duration.ofMinutes(1));

        assertThat(earlier.channel.isOpen()).isFalse();
        assertThat(later.channel.isOpen()).isTrue();
        // Who hears of an end makes another connection; who is not unregistered keeps its buffers.
        assertThat(earlier.heard).containsExactly("unregistered");
    }

    @Test
    void waitsForTheAnswersThatAReplacedConnectionOwes() {
        Connection earlier = new Connection(endpoint);
        earlier.ask();
        Connection later = new Connection(endpoint);
        earlier.channel.close();

        assertThat(earlier.heard).containsExactly("inactive", "unregistered");
        assertThat(later.channel.isOpen()).isTrue();
    }

    @Test
    void tellsOfTheEndOfTheConnectionInUse() {
        Connection earlier = new Connection(endpoint);
        Connection later = new Connection(endpoint);
        later.channel.close();
        assertThat(later.heard).containsExactly("inactive", "unregistered");
        earlier.pass(Duration.ofMinutes(1));

        assertThat(earlier.channel.isOpen()).isTrue(); // until there is another, this may be asked
    }

    @Test
    void tellsTheConnectionsOfOneEndpointFromThoseOfAnother() {
        Connection here = new Connection(endpoint);
        Connection there = new Connection(endpoint());
        here.pass(Duration.ofMinutes(1));
        there.pass(Duration.ofMinutes(1));

        assertThat(here.channel.isOpen()).isTrue();
        assertThat(there.channel.isOpen()).isTrue();
    }

    private static DefaultEndpoint endpoint() {
        DefaultEndpoint endpoint = new DefaultEndpoint(ClientOptions.create(), RESOURCES);
        endpoint.setConnectionFacade(new ConnectionFacade() {
            @Override
            public void activated() {}

            @Override
            public void deactivated() {}
        });
        return endpoint;
    }

    /** A channel as Lettuce sets one up, and what those behind its {@code CommandHandler} hear of its end. */
    private final class Connection {

        final EmbeddedChannel channel = new EmbeddedChannel();
        final List<String> heard = new ArrayList<>();

        Connection(DefaultEndpoint endpoint) {
            channel.freezeTime();
            channel.pipeline().addLast(new CommandHandler(ClientOptions.create(), RESOURCES, endpoint));
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelInactive(ChannelHandlerContext context) {
                    heard.add("inactive");
                }

                @Override
                public void channelUnregistered(ChannelHandlerContext context) {
                    heard.add("unregistered");
                }
            });
            watch.afterChannelInitialized(channel);
            channel.pipeline().fireChannelRegistered();
            channel.pipeline().fireChannelActive();
            ask();
            answer();
        }

        void ask() {
            channel.writeOutbound(
                    new AsyncCommand<>(new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8))));
        }

        void answer() {
            channel.writeInbound(Unpooled.copiedBuffer("+PONG\r\n", StandardCharsets.US_ASCII));
        }

        void pass(Duration time) {
            for (long left = time.toMillis(); left > 0; left--) {
                channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
                channel.runScheduledPendingTasks();
            }
        }
    }
}
