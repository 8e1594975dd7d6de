package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No listener changes a decision or delays it, and none that is quick misses one. */
@Timeout(60)
class ListenersTest {

    private final ManualTime time = new ManualTime();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Counting counting = new Counting();

    @AfterEach
    void letGo() {
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatBlocksForEverStopsNoCheck(GateFixture.Way way) throws Exception {
        BlockingQueue<String> others = new LinkedBlockingQueue<>();
        DecisionListener stuck = (scope, decision, enforced) -> await(end);
        DecisionListener other = (scope, decision, enforced) -> others.add(scope);
        Listeners listeners = Listeners.of(List.of(stuck, other, counting));
        RuleGate gate = gate(listeners, "1000000/min");
        int requests = QueuedListener.CAPACITY + 1_000;

        for (int i = 0; i < requests; i++) {
            assertThat(way.check(gate, TestRequest.get("/")).allowed()).isTrue();
        }

        assertThat(counting.decisions).isEqualTo(requests);
        assertThat(listeners.missed())
                .as("one was being told, and the queue is full")
                .isGreaterThanOrEqualTo(requests - QueuedListener.CAPACITY - 1);
        assertThat(listeners.failures()).isZero();
        assertThat(others.poll(20, TimeUnit.SECONDS))
                .as("the others are told all the same")
                .isEqualTo("api");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatThrowsChangesNothing(boolean quick) throws Exception {
        Failing failing = new Failing(quick, new AssertionError("listener"));
        Listeners listeners = Listeners.of(List.of(failing, counting));
        RuleGate gate = gate(listeners, "2/min");

        List<Boolean> allowed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            allowed.add(gate.check(TestRequest.get("/")).allowed());
        }

        assertThat(allowed).containsExactly(true, true, false);
        assertThat(counting.decisions).isEqualTo(3);
        failing.awaitCalls(3);
        awaitFailures(listeners, 3);
        assertThat(listeners.missed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatThrowsWhenToldOfAFailureChangesNothing(boolean quick) throws Exception {
        Failing failing = new Failing(quick, new AssertionError("listener"));
        Listeners listeners = Listeners.of(List.of(failing, counting));

        listeners.failed("api", FailurePolicy.LOCAL, new IllegalStateException("resolver"));

        assertThat(counting.failures).isOne();
        failing.awaitCalls(1);
        awaitFailures(listeners, 1);
    }

    /** Who is not quick need not be thread-safe. */
    @Test
    void othersAreToldInOrderByAThreadOfTheirOwn() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        DecisionListener listener =
                (scope, decision, enforced) -> told.add(Thread.currentThread().getName() + " " + decision.remaining());
        Listeners listeners = Listeners.of(List.of(listener));
        RuleGate gate = gate(listeners, "1000/min");

        for (int i = 0; i < 1_000; i++) {
            gate.check(TestRequest.get("/"));
        }

        for (int i = 999; i >= 0; i--) {
            assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("headgate-listener " + i);
        }
        assertThat(listeners.missed()).isZero();
    }

    /** What the whole process suffers from is not ours to hide. */
    @Test
    void passesOnWhatConcernsTheWholeProcess() {
        RuleGate gate = gate(Listeners.of(List.of(new Failing(true, new OutOfMemoryError("told to")))), "2/min");
        assertThatThrownBy(() -> gate.check(TestRequest.get("/"))).isInstanceOf(OutOfMemoryError.class);
    }

    private RuleGate gate(Listeners listeners, String limit) {
        RuleSet rules = new RuleCompiler(
                        StandardSubjects.builder().build(),
                        LedgerFactory.of(Headgate.builder().timeSource(time).build()),
                        time,
                        Map.of(),
                        Map.of())
                .compile(List.of(Rule.named("api").paths("/**").limits(limit).build()));
        return new RuleGate(() -> rules, new Gate(listeners));
    }

    private static void awaitFailures(Listeners listeners, long expected) {
        while (listeners.failures() < expected) { // counted right after the call, by the same thread
            Thread.onSpinWait();
        }
        assertThat(listeners.failures()).isEqualTo(expected);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Counting implements DecisionListener {

        private int decisions;
        private int failures;

        @Override
        public void decided(String scope, Decision decision, boolean enforced) {
            decisions++;
        }

        @Override
        public void failed(String scope, FailurePolicy policy, Throwable cause) {
            failures++;
        }

        @Override
        public boolean quick() {
            return true;
        }
    }

    private static final class Failing implements DecisionListener {

        private final boolean quick;
        private final Error failure;
        private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

        Failing(boolean quick, Error failure) {
            this.quick = quick;
            this.failure = failure;
        }

        @Override
        public void decided(String scope, Decision decision, boolean enforced) {
            calls.add(scope);
            throw failure;
        }

        @Override
        public void failed(String scope, FailurePolicy policy, Throwable cause) {
            calls.add(scope);
            throw failure;
        }

        @Override
        public boolean quick() {
            return quick;
        }

        void awaitCalls(int count) throws InterruptedException {
            for (int i = 0; i < count; i++) {
                assertThat(calls.poll(20, TimeUnit.SECONDS)).isEqualTo("api");
            }
        }
    }
}
