package io.headgate.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;

/**
 * Sends a few commands with one system call if threads ask for them at the same time: each would take one of its own, here and in
 * Redis. Not many, or Redis would have nothing to do until all have come, and the threads nothing until all are answered.
 *
 * <p>What is asked while answers are read goes out at once: it is the next call of a busy key, which Redis can work on while the
 * answers of the last one are handed out.
 */
final class Gathering extends ChannelDuplexHandler {

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
