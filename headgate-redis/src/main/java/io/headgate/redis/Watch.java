package io.headgate.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that has owed us an answer for too long.
 *
 * <p>So nobody waits longer for a Redis that is frozen or cut off, and the next connection goes through as soon as there is
 * a way again, instead of when TCP gets round to resend. A timer for each command would do less and cost more.
 */
final class Watch implements NettyCustomizer {

    private final NettyCustomizer given;
    private final long patienceNanos;
    private final Set<EventLoop> loops = new CopyOnWriteArraySet<>();

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
            channel.pipeline().addFirst(new Patience(commands));
        }
    }

    private final class Patience extends ChannelInboundHandlerAdapter implements Runnable {

        private final CommandHandler commands;
        private @Nullable ChannelHandlerContext context;
        private @Nullable Future<?> rounds;
        private boolean greeted; // until then the time to connect counts
        private boolean read;
        private int silentRounds;

        Patience(CommandHandler commands) {
            this.commands = commands;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            this.context = context;
            loops.add(context.channel().eventLoop());
            long round = Math.max(1, patienceNanos / 2);
            rounds = context.channel().eventLoop().scheduleAtFixedRate(this, round, round, TimeUnit.NANOSECONDS);
            context.fireChannelActive();
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
            context.fireChannelInactive();
        }

        /** Closes a connection on which something was owed and nothing came for more than two rounds in a row. */
        @Override
        public void run() {
            silentRounds = !greeted || read || commands.getStack().isEmpty() ? 0 : silentRounds + 1;
            read = false;
            if (silentRounds > 2 && context != null) {
                context.close();
            }
        }
    }
}
