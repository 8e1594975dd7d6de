package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BulkheadTest {

    @Test
    void letsInSoManyAtATime() {
        Bulkhead bulkhead = new Bulkhead(2);
        assertThat(bulkhead.tryEnter()).isTrue();
        assertThat(bulkhead.tryEnter()).isTrue();
        assertThat(bulkhead.tryEnter()).isFalse();
        bulkhead.leave();
        assertThat(bulkhead.tryEnter()).isTrue();
        assertThat(bulkhead.tryEnter()).isFalse();
    }

    @Test
    void letsInNoMoreUnderContention() throws Exception {
        int most = 100;
        Bulkhead bulkhead = new Bulkhead(most);
        AtomicInteger entered = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 8; i++) {
            threads.execute(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                for (int each = 0; each < most; each++) {
                    if (bulkhead.tryEnter()) {
                        entered.incrementAndGet();
                    }
                }
            });
        }
        start.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(entered).hasValue(most);
        assertThat(bulkhead.inside()).isEqualTo(most);
    }
}
