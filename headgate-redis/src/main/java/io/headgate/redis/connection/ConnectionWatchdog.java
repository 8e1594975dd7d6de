package io.headgate.redis.connection;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.Endpoint;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that are of no use, and lets the others {@linkplain FlushBatching send several commands at once}.
 *
 * <p>A connection is of no use if it has owed an answer for too long. Closing it ensures that no caller waits longer for a Redis that
 * is frozen or cut off, and that the next connection succeeds as soon as the network works again, instead of when TCP next
 * retransmits. A timer for each command would do less and cost more.
 *
 * <p>A connection is also of no use if another has replaced it. When a connection breaks while it is being made, Lettuce starts over
 * twice: once for the failure and once for the end of the channel. If both attempts succeed, commands go to the later connection, and
 * the earlier one would stay open for good.
 */
final class ConnectionWatchdog implements NettyCustomizer {

    private final NettyCustomizer given;
    private final long patienceNanos;
    private final Set<EventLoop> loops = new CopyOnWriteArraySet<>();

    /** For each endpoint, the one of its connections to which commands are sent. */
    private final Map<Endpoint, AtomicReference<@Nullable Channel>> inUse =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** @param given the customizer of the application */
    ConnectionWatchdog(NettyCustomizer given, Duration patience) {
        this.given = given;
        this.patienceNanos = patience.toNanos();
    }

    /** Whether this thread reads answers, and so must not wait for one. */
    boolean holdsThisThread() {
        for (EventLoop loop : loops) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        given.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        given.afterChannelInitialized(channel);
        CommandHandler commands = channel.pipeline().get(CommandHandler.class);
        if (commands != null) {
            AnswerTimer timer = new AnswerTimer(commands);
            channel.pipeline().addFirst(timer);
            String name = channel.pipeline().context(commands).name();
            channel.pipeline().addBefore(name, null, new AfterHandshake(timer));
            channel.pipeline().addBefore(name, null, new FlushBatching());
        }
    }

    /**
     * Sits in the pipeline between the handshake and the handler that sends commands. So it learns when commands may be sent, and it
     * can hide the end of a replaced connection from that handler: Lettuce would take the connection for the one in use and make
     * another.
     */
    private static final class AfterHandshake extends ChannelInboundHandlerAdapter {

        private final AnswerTimer timer;

        AfterHandshake(AnswerTimer timer) {
            this.timer = timer;
        }

        /** If two connections become ready at the same time, commands go to the one that is recorded last here. */
        @Override
        public void channelActive(ChannelHandlerContext context) {
            synchronized (timer.inUse) {
                if (context.channel().isActive()) { // else its end has passed this handler already
                    timer.use(context.channel());
                }
                context.fireChannelActive();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!timer.isIdle() || !timer.isReplaced(context.channel())) {
                context.fireChannelInactive();
            }
        }
    }

    private final class AnswerTimer extends ChannelInboundHandlerAdapter implements Runnable {

        private final CommandHandler commands;
        private final AtomicReference<@Nullable Channel> inUse;
        private @Nullable ChannelHandlerContext context;
        private @Nullable Future<?> rounds;
        private boolean handshakeAnswered; // until then the connect timeout applies
        private boolean used;
        private boolean read;
        private int silentRounds;
        private int idleRounds;

        AnswerTimer(CommandHandler commands) {
            this.commands = commands;
            this.inUse = ConnectionWatchdog.this.inUse.computeIfAbsent(
                    commands.getEndpoint(), endpoint -> new AtomicReference<>());
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            this.context = context;
            loops.add(context.channel().eventLoop());
            long round = Math.max(1, patienceNanos / 2);
            rounds = context.channel().eventLoop().scheduleAtFixedRate(this, round, round, TimeUnit.NANOSECONDS);
            context.fireChannelActive();
        }

        void use(Channel channel) {
            used = true;
            inUse.set(channel);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            handshakeAnswered = true;
            read = true;
            context.fireChannelRead(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (rounds != null) {
                rounds.cancel(false);
            }
            inUse.compareAndSet(context.channel(), null); // else the map would keep the endpoint for good
            context.fireChannelInactive();
        }

        /** Closes the connection if, for more than two rounds, it owed an answer and nothing came, or it owed none and was replaced. */
        @Override
        public void run() {
            ChannelHandlerContext here = context;
            if (here == null) {
                return;
            }
            silentRounds = handshakeAnswered && !read && !isIdle() ? silentRounds + 1 : 0;
            idleRounds = isIdle() && isReplaced(here.channel()) ? idleRounds + 1 : 0;
            read = false;
            if (silentRounds > 2 || idleRounds > 2) {
                here.close();
            }
        }

        /** Whether no answer is owed. */
        boolean isIdle() {
            return commands.getStack().isEmpty();
        }

        /** Whether this connection was in use, and another one is now. */
        boolean isReplaced(Channel channel) {
            Channel other = inUse.get();
            return used && other != null && other != channel;
        }
    }
}
