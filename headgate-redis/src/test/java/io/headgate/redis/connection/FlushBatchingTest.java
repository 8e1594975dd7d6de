package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlushBatchingTest {

    private final List<Object> out = new ArrayList<>();
    private final List<Object> written = new ArrayList<>();
    private int sent;
    private int sentMeanwhile;

    /** Between the network, which counts how often something is sent to it, and whoever reads answers and asks more for each. */
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext context, Object command, ChannelPromise promise) {
                    written.add(command);
                }

                @Override
                public void flush(ChannelHandlerContext context) {
                    sent++;
                    out.addAll(written);
                    written.clear();
                }
            },
            new FlushBatching(),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object answer) {
                    context.writeAndFlush("next");
                    assertThat(sent).as("before the answers are handed out").isOne();
                }

                @Override
                public void userEventTriggered(ChannelHandlerContext context, Object times) {
                    for (int i = 0; i < (int) times; i++) {
                        context.writeAndFlush("command");
                    }
                    sentMeanwhile = sent;
                }
            });

    @Test
    void sendsWhatIsAskedAtTheSameTimeTogether() {
        ask(3);

        assertThat(sentMeanwhile).isZero();
        assertThat(sent).isOne();
        assertThat(out).hasSize(3);
    }

    @Test
    void waitsForNoMoreThanAFew() {
        ask(8);

        assertThat(sentMeanwhile).isOne();
        assertThat(sent).isOne();
        assertThat(out).hasSize(8);
    }

    @Test
    void sendsEverythingOnce() {
        ask(8 + 8 + 5);

        assertThat(sentMeanwhile).isEqualTo(2);
        assertThat(sent).isEqualTo(3);
        assertThat(out).hasSize(21);
    }

    @Test
    void sendsTheNextCallOfABusyKeyAtOnce() {
        channel.writeInbound("answer");

        assertThat(sent).isOne();
        assertThat(out).containsExactly("next");
    }

    @Test
    void gathersAgainAfterAnswersWereRead() {
        channel.writeInbound("answer");
        sent = 0;

        ask(2);

        assertThat(sentMeanwhile).isZero();
        assertThat(sent).isOne();
    }

    /** At the same time: before whatever waits for its turn on the channel's thread. */
    private void ask(int times) {
        channel.pipeline().fireUserEventTriggered(times);
        channel.runPendingTasks();
    }
}
