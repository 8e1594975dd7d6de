package io.headgate.redis;

import io.headgate.testkit.ManualTime;
import io.headgate.testkit.StoreClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Time that stands still until it is moved, in the test and, through {@link TestRedis#TIME}, in the scripts. It moves only once
 * every answer that is under way has arrived and had its consequences, and whoever it wakes finds Redis at that time too.
 */
final class RedisTime implements StoreClock {

    private final ManualTime time = new ManualTime();
    private final TestRedis redis;
    private final PendingAnswers underWay;

    RedisTime(TestRedis redis, PendingAnswers underWay) {
        this.redis = redis;
        this.underWay = underWay;
        tellRedis();
    }

    @Override
    public long nowMicros() {
        return time.nowMicros();
    }

    @Override
    public CompletableFuture<Void> after(long micros) {
        CompletableFuture<Void> alarm = new CompletableFuture<>();
        if (micros <= 0) {
            alarm.complete(null);
            return alarm;
        }
        CompletableFuture<Void> due = time.after(micros);
        due.thenRun(() -> {
            tellRedis();
            alarm.complete(null);
            underWay.await();
        });
        alarm.whenComplete((done, failure) -> due.cancel(false));
        return alarm;
    }

    @Override
    public void advance(Duration by) {
        underWay.await();
        time.advance(by);
        tellRedis();
    }

    @Override
    public void stepBack(Duration by) {
        underWay.await();
        time.stepBack(by);
        tellRedis();
    }

    private void tellRedis() {
        redis.setTime(time.nowMicros());
    }
}
