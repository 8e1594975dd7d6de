package io.headgate.redis;

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
 * Closes connections that are of no use, and lets the others {@linkplain Gathering gather} what they send.
 *
 * <p>One that has owed us an answer for too long: so nobody waits longer for a Redis that is frozen or cut off, and the next
 * connection goes through as soon as there is a way again, instead of when TCP gets round to resend. A timer for each command
 * would do less and cost more.
 *
 * <p>And one that another has taken the place of: when a connection is cut while it is made, Lettuce starts over twice, once
 * for the failure and once for the end of the channel. If both succeed, commands go to the later one and the earlier would stay
 * open for good.
 */
final class Watch implements NettyCustomizer {

    private final NettyCustomizer given;
    private final long patienceNanos;
    private final Set<EventLoop> loops = new CopyOnWriteArraySet<>();

    /** Of the connections that were made for an endpoint, the one that its commands are sent to. */
    private final Map<Endpoint, AtomicReference<@Nullable Channel>> inUse =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** @param given what the application does with its connections */
    Watch(NettyCustomizer given, Duration patience) {
        this.given = given;
        this.patienceNanos = patience.toNanos();
    }

    /** Whether this is a thread that answers are read on: it must not wait for one. */
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
            Patience patience = new Patience(commands);
            channel.pipeline().addFirst(patience);
            String name = channel.pipeline().context(commands).name();
            channel.pipeline().addBefore(name, null, new Greeted(patience));
            channel.pipeline().addBefore(name, null, new Gathering());
        }
    }

    /**
     * Stands between whoever greets Redis and whoever sends commands, and so learns when the latter may begin, and can keep from them
     * that a connection has ended which they took for the one in use: they would make another.
     */
    private static final class Greeted extends ChannelInboundHandlerAdapter {

        private final Patience patience;

        Greeted(Patience patience) {
            this.patience = patience;
        }

        /** Of two connections that are ready at the same time, commands go to the one that is noted last here. */
        @Override
        public void channelActive(ChannelHandlerContext context) {
            synchronized (patience.inUse) {
                if (context.channel().isActive()) { // else its end has passed by here already
                    patience.use(context.channel());
                }
                context.fireChannelActive();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!patience.isIdle() || !patience.isReplaced(context.channel())) {
                context.fireChannelInactive();
            }
        }
    }

    private final class Patience extends ChannelInboundHandlerAdapter implements Runnable {

        private final CommandHandler commands;
        private final AtomicReference<@Nullable Channel> inUse;
        private @Nullable ChannelHandlerContext context;
        private @Nullable Future<?> rounds;
        private boolean greeted; // until then the time to connect counts
        private boolean used;
        private boolean read;
        private int silentRounds;
        private int idleRounds;

        Patience(CommandHandler commands) {
            this.commands = commands;
            this.inUse = Watch.this.inUse.computeIfAbsent(commands.getEndpoint(), endpoint -> new AtomicReference<>());
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
            greeted = true;
            read = true;
            context.fireChannelRead(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (rounds != null) {
                rounds.cancel(false);
            }
            inUse.compareAndSet(context.channel(), null); // or the map would hold the endpoint for good
            context.fireChannelInactive();
        }

        /** Closes the connection if something was owed and nothing came, or nothing can come any more, for more than two rounds. */
        @Override
        public void run() {
            ChannelHandlerContext here = context;
            if (here == null) {
                return;
            }
            silentRounds = greeted && !read && !isIdle() ? silentRounds + 1 : 0;
            idleRounds = isIdle() && isReplaced(here.channel()) ? idleRounds + 1 : 0;
            read = false;
            if (silentRounds > 2 || idleRounds > 2) {
                here.close();
            }
        }

        /** Whether nothing is owed. */
        boolean isIdle() {
            return commands.getStack().isEmpty();
        }

        /** Whether it was in use and another is now. */
        boolean isReplaced(Channel channel) {
            Channel other = inUse.get();
            return used && other != null && other != channel;
        }
    }
}
