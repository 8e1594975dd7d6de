package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;

/** Denials remembered in front of a Redis whose time is moved by hand. */
abstract class DenialsFixture {

    static final Key KEY = new Key("login", "alice");

    /** Ten at once, then one every 100 ms. */
    static final Plan PLAN = Plan.parse("10/s");

    static final Duration CAP = Duration.ofSeconds(1);

    final FakeRedis redis = new FakeRedis();
    final Denials denials = new Denials(Lane.of(redis), redis::nanos, CAP, 1_000);

    Decision take(long cost) {
        return denials.apply(KEY, PLAN, new Operation.Take(cost, 0)).join();
    }

    int calls() {
        return redis.calls.size();
    }

    void spendAll() {
        assertThat(take(10).allowed()).isTrue();
        assertThat(take(1)).isInstanceOf(Decision.Denied.class);
        redis.calls.clear();
    }

    static long retryAfter(Decision decision) {
        return ((Decision.Denied) decision).retryAfterMicros();
    }
}
