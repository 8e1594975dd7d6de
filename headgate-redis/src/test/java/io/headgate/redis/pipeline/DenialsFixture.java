package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
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
    final Denials denials = new Denials(redis::nanos, CAP, 1_000);
    final Ledger ledger = ledger(KEY.scope(), PLAN);

    Ledger ledger(String scope, Plan plan) {
        return denials.over(scope, plan, redis.ledger(scope, plan));
    }

    /** Asks what is known first, as a limiter does. */
    static Decision check(Ledger ledger, String subject, Operation operation) {
        Decision known = ledger.known(subject, operation);
        return known != null ? known : ledger.apply(subject, operation);
    }

    Decision check(Plan plan, Operation operation) {
        return check(ledger(KEY.scope(), plan), KEY.subject(), operation);
    }

    Decision take(long cost) {
        return check(PLAN, new Operation.Take(cost, 0));
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
