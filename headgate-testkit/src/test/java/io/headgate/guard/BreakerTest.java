package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guard.Breaker.State;
import io.headgate.guard.Breaker.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private static final int FAILURES = 3;
    private static final long OPEN_MICROS = 500;

    private final Breaker breaker = new Breaker(FAILURES, OPEN_MICROS);
    private long now = 1_000;

    @Test
    void opensAfterSoManyFailuresInARow() {
        fail(FAILURES - 1);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.CALL);
        fail(1);
        assertThat(breaker.ask(now)).isNull();
    }

    @Test
    void opensAfterSoManyFailuresAmongTheLastTen() {
        fail(1);
        succeed(7);
        fail(1);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.CALL);
        fail(1);
        assertThat(breaker.ask(now)).isNull();
    }

    @Test
    void forgetsAFailureAfterTenMoreCalls() {
        fail(FAILURES - 1);
        succeed(Breaker.REMEMBERED);
        assertThat(breaker.state()).isEqualTo(new State.Closed(0));
        fail(FAILURES - 1);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.CALL);
    }

    @Test
    void writesNothingWhileAllIsWell() {
        State before = breaker.state();
        succeed(1_000);
        assertThat(breaker.state()).isSameAs(before);
    }

    @Test
    void staysOpenForItsTimeToTheMicrosecond() {
        fail(FAILURES);
        now += OPEN_MICROS - 1;
        assertThat(breaker.ask(now)).isNull();
        now++;
        assertThat(breaker.ask(now)).isEqualTo(Ticket.PROBE);
    }

    @Test
    void probesWithOneCallAtATime() {
        fail(FAILURES);
        now += OPEN_MICROS;
        assertThat(breaker.ask(now)).isEqualTo(Ticket.PROBE);
        now += 10 * OPEN_MICROS;
        assertThat(breaker.ask(now)).isNull();
    }

    @Test
    void closesWithACleanRecordWhenTheProbeSucceeds() {
        fail(FAILURES);
        now += OPEN_MICROS;
        breaker.ask(now);
        breaker.report(Ticket.PROBE, false, now);
        fail(FAILURES - 1);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.CALL);
    }

    @Test
    void opensForAnotherTimeWhenTheProbeFails() {
        fail(FAILURES);
        now += OPEN_MICROS;
        breaker.ask(now);
        breaker.report(Ticket.PROBE, true, now);
        now += OPEN_MICROS - 1;
        assertThat(breaker.ask(now)).isNull();
        now++;
        assertThat(breaker.ask(now)).isEqualTo(Ticket.PROBE);
    }

    /** Calls from before it opened neither prolong that nor decide in place of the probe. */
    @Test
    void hearsNoLateReports() {
        fail(FAILURES);
        now += OPEN_MICROS;
        fail(5);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.PROBE);
        succeed(5);
        assertThat(breaker.ask(now)).isNull();
        fail(5);
        breaker.report(Ticket.PROBE, false, now);
        assertThat(breaker.ask(now)).isEqualTo(Ticket.CALL);
    }

    @Test
    void letsOneOfManyThreadsProbe() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                fail(FAILURES);
                now += OPEN_MICROS;
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Ticket>> asked = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    asked.add(threads.submit(() -> {
                        start.await();
                        return breaker.ask(now);
                    }));
                }
                start.countDown();
                List<Ticket> tickets = new ArrayList<>();
                for (Future<Ticket> each : asked) {
                    tickets.add(each.get());
                }
                assertThat(tickets).containsOnlyOnce(Ticket.PROBE).doesNotContain(Ticket.CALL);
                breaker.report(Ticket.PROBE, false, now);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void fail(int times) {
        report(times, true);
    }

    private void succeed(int times) {
        report(times, false);
    }

    private void report(int times, boolean failed) {
        for (int i = 0; i < times; i++) {
            breaker.report(Ticket.CALL, failed, now);
        }
    }
}
