package io.headgate.redis.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;

/**
 * Sends a few commands with one system call if threads issue them at the same time: each would otherwise take a system call of its
 * own, here and in Redis. Only a few, or Redis would be idle until all have arrived, and the threads until all are answered.
 *
 * <p>A command that is issued while answers are read is sent at once: it is the next call of a busy key, which Redis can execute
 * while the answers of the last one are handed out.
 */
final class FlushBatching extends ChannelDuplexHandler {

    private static final int MOST = 8;

    private boolean reading;
    private int waiting;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        reading = true;
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        if (reading || ++waiting >= MOST) {
            send(context);
        } else if (waiting == 1) {
            context.executor().execute(() -> {
                if (waiting > 0) {
                    send(context);
                }
            });
        }
    }

    private void send(ChannelHandlerContext context) {
        waiting = 0;
        context.flush();
    }
}
