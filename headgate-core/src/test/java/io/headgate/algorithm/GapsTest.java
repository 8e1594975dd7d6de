package io.headgate.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithm;
import io.headgate.Limit;
import org.junit.jupiter.api.Test;

class GapsTest {

    private static final Limit LIMIT = Limit.parse("1/s burst 1");

    @Test
    void forgetsTheSmallestBeyondSixtyFour() {
        Gaps gaps = Gaps.NONE;
        for (int i = 0; i < 65; i++) {
            gaps = gaps.with(10 * i, 10 * i + (i == 3 || i == 5 ? 1 : 2));
        }
        assertThat(gaps.behind(0)).isEqualTo(128);
        Gaps largest = gaps.largest();
        assertThat(largest.behind(0)).isEqualTo(127);
        assertThat(largest.behind(40)).isEqualTo(gaps.behind(40));
        assertThat(largest.largest()).isSameAs(largest);
    }

    /** Every other one of a long line leaves: their permits count as spent, and the state of the bucket stays small. */
    @Test
    void keepsTheStateSmallHoweverManyLeave() {
        for (Limit limit : new Limit[] {LIMIT, LIMIT.using("leaky-bucket")}) {
            long[] half = leave(limit, 2);
            assertThat(half).hasSize(7 + 128);
            assertThat(half[2]).isEqualTo(1001); // positions do not change
            assertThat(leave(limit, 1)[2]).isEqualTo(1);
        }
    }

    /** A bucket with one spent and a thousand in line behind it, of whom every so manieth leaves, in the order of arrival. */
    private static long[] leave(Limit limit, int every) {
        Algorithm<Level> algorithm = limit.algorithm().equals("leaky-bucket") ? new LeakyBucket() : new TokenBucket();
        Level[] charged = new Level[1001];
        Level state = algorithm.take(algorithm.fresh(limit, 0), limit, 1, 0);
        for (int i = 1; i < charged.length; i++) {
            state = algorithm.reserve(state, limit, 1, i * 1_000_000L, 0);
            charged[i] = state;
        }
        for (int i = 1; i < charged.length; i += every) {
            state = algorithm.refund(state, charged[i], limit, 1, 0);
        }
        return algorithm.encode(state);
    }
}
