package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Limit;
import io.headgate.Plan;
import org.junit.jupiter.api.AfterEach;

/** A busy key in front of a Redis whose time is moved by hand. */
abstract class PrefetchingCase {

    static final Plan PLAN = window("10000/h");

    final PrefetchingFixture fixture = new PrefetchingFixture();
    final FakeRedis redis = fixture.redis;
    final Prefetching prefetching = fixture.prefetching;

    static Plan window(String limit) {
        return Plan.of(Limit.parse(limit).using("fixed-window"));
    }

    /** Whatever a test has done, a key that nobody asks for leaves nothing behind. */
    @AfterEach
    final void nothingIsLeftWhenIdle() {
        redis.settle();
        fixture.advance(PrefetchingFixture.LASTS.multipliedBy(20));
        redis.settle();
        assertThat(prefetching.keys()).isZero();
        assertThat(fixture.alarms()).isZero();
    }

    final int calls() {
        return redis.calls.size();
    }
}
