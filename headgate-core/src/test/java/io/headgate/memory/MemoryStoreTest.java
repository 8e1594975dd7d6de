package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.TestTime;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MemoryStoreTest {

    private static final Plan FIVE = Plan.parse("5/min");

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 4);

    /** Room is taken by exactly the keys that are there. */
    @AfterEach
    void keepsCount() {
        assertThat(store.keys()).isEqualTo(store.cells());
    }

    private Decision take(String subject, Plan plan, long cost) {
        return store.bind("api", plan).apply(subject, new Operation.Take(cost, 0));
    }

    private Decision take(String subject) {
        return take(subject, FIVE, 1);
    }

    private long remaining(String subject, Plan plan) {
        return store.bind("api", plan).apply(subject, Operation.PEEK).remaining();
    }

    private void reset(String subject) {
        store.bind("api", FIVE).apply(subject, Operation.RESET);
    }

    private void fill() {
        for (int i = 0; i < 4; i++) {
            take("early " + i);
        }
    }

    /** Known bugs H7, K01, K02, C12: neither does the store grow, nor does a limited client get away. */
    @Test
    void isNotWashedOutByAFloodOfNewKeys() {
        int bound = 10_000;
        store = new MemoryStore(Headgate.algorithms(), time, bound);
        take("victim", FIVE, 5);
        long granted = 0;

        for (int i = 0; i < 10 * bound; i++) {
            granted += take("flood " + i).allowed() ? 1 : 0;
        }

        assertThat(store.keys()).isEqualTo(bound);
        assertThat(take("victim")).isInstanceOf(Decision.Denied.class);
        assertThat(granted).isBetween(bound - 1L, bound - 1 + 64 * 5L);
        assertThat(store.overflowDecisions()).isEqualTo(9L * bound + 1);
    }

    @Test
    void forgetsTheFloodOnceItIsOver() {
        int bound = 1_000;
        store = new MemoryStore(Headgate.algorithms(), time, bound);
        for (int i = 0; i < 3 * bound; i++) {
            take("flood " + i);
        }
        time.advance(Duration.ofMinutes(1));

        for (int i = 0; i < bound; i++) {
            assertThat(take("later " + i).remaining()).isEqualTo(4);
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(store.keys()).isLessThan(50); // a key is full again after 12 seconds
    }

    /** Known bug C12: never off. */
    @Test
    void letsNewKeysShareABudgetWhenThereIsNoRoom() {
        fill();
        long granted = 0;
        for (int i = 0; i < 100; i++) {
            granted += take("late").allowed() ? 1 : 0;
        }

        assertThat(granted).isEqualTo(5);
        assertThat(store.keys()).isEqualTo(4);
        assertThat(store.overflowDecisions()).isEqualTo(100);
    }

    @Test
    void handsDownTheSharedBudgetToAKeyThatGetsRoom() {
        fill();
        take("late", FIVE, 3);
        reset("early 0");

        assertThat(take("late").remaining()).isEqualTo(1);
        assertThat(store.keys()).isEqualTo(4);
    }

    @Test
    void givesAFullBudgetToAKeyThatComesAfterTheSharedOneIsFullAgain() {
        fill();
        take("late", FIVE, 3);
        time.advance(Duration.ofMinutes(1));

        assertThat(take("late").remaining()).isEqualTo(4);
        assertThat(store.overflowDecisions()).isEqualTo(1);
    }

    @Test
    void givesBackToTheSharedBudget() {
        fill();
        Decision.Allowed receipt = (Decision.Allowed) take("late", FIVE, 3);

        store.bind("api", FIVE).apply("late", new Operation.Refund(receipt));

        assertThat(remaining("late", FIVE)).isEqualTo(5);
    }

    /** A slot ahead of now makes the shared cell another kind of cell; it is the same budget. */
    @Test
    void reservesSlotsOnASharedBudget() {
        fill();
        take("late", FIVE, 5);

        Decision reserved = store.bind("api", FIVE).apply("late", new Operation.Take(1, 60_000_000));

        assertThat(reserved.allowed()).isTrue();
        assertThat(take("late")).isInstanceOf(Decision.Denied.class);
        time.advance(Duration.ofSeconds(12));
        assertThat(take("late")).isInstanceOf(Decision.Denied.class);
        time.advance(Duration.ofSeconds(12));
        assertThat(take("late").allowed()).isTrue();
    }

    /** Known bug A11: in the overflow as elsewhere. */
    @Test
    void keepsWhatWasSpentOfASharedBudgetWhenThePlanChanges() {
        fill();
        take("late", FIVE, 3);

        assertThat(remaining("late", Plan.parse("7/min"))).isEqualTo(4);
        assertThat(take("late", Plan.parse("7/min"), 1).remaining()).isEqualTo(3);
    }

    /** Known bug A11. */
    @EachAlgorithm(except = "leaky-bucket")
    void keepsWhatWasSpentWhenThePlanChanges(String algorithm) {
        Plan more = Plan.of(Limit.parse("8/min").using(algorithm));
        Plan less = Plan.of(Limit.parse("2/min").using(algorithm));
        take("alice", Plan.of(Limit.parse("5/min").using(algorithm)), 3);

        assertThat(remaining("alice", more)).isEqualTo(5);
        assertThat(remaining("alice", less)).isZero();
        assertThat(take("alice", less, 1).allowed()).isFalse();
        assertThat(take("alice", more, 5).remaining()).isZero();
    }

    /** Known bug T4: nor while everybody who asks could wait, if not for so long. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "fixed-window"})
    void isNotStuckAfterTheClockHasSteppedBack(String algorithm) {
        AtomicLong now = new AtomicLong(Duration.ofDays(365).toMillis() * 1_000);
        MemoryStore stepping = new MemoryStore(Headgate.algorithms(), now::get, 4);
        Key key = new Key("api", "alice");
        Plan plan = Plan.of(Limit.parse("5/min").using(algorithm));
        stepping.bind(key.scope(), plan).apply(key.subject(), new Operation.Take(5, 0));
        now.addAndGet(-Duration.ofHours(1).toMillis() * 1_000);
        Decision denied = stepping.bind(key.scope(), plan).apply(key.subject(), new Operation.Take(1, 1));
        now.addAndGet(((Decision.Denied) denied).retryAfterMicros());

        assertThat(stepping.bind(key.scope(), plan)
                        .apply(key.subject(), new Operation.Take(1, 1))
                        .allowed())
                .isTrue();
    }

    @Test
    void takesNoRoomForWhoIsDeniedOrOnlyAsks() {
        assertThat(take("alice", FIVE, 6)).isInstanceOf(Decision.Impossible.class);
        assertThat(remaining("bob", FIVE)).isEqualTo(5);

        assertThat(store.keys()).isZero();
    }

    @Test
    void isEmptyWhenEveryKeyIsReset() {
        for (int i = 0; i < 10; i++) {
            take("key " + i);
        }
        for (int i = 0; i < 10; i++) {
            reset("key " + i);
        }

        assertThat(store.keys()).isZero();
    }

    @Test
    void sharesItsRoomAmongScopes() {
        for (int i = 0; i < 4; i++) {
            store.bind("scope " + i, FIVE).apply("alice", Operation.ONE);
        }
        assertThat(take("bob").remaining()).isEqualTo(4);
        assertThat(store.overflowDecisions()).isEqualTo(1);
        time.advance(Duration.ofMinutes(1));

        assertThat(take("carol").allowed()).isTrue();
        assertThat(store.overflowDecisions()).isEqualTo(1);
    }

    /**
     * Known bug C7. A store that forgets all the time answers like a table that never does, as long as it need not share. Every
     * key that is not full fits, so a sweep always finds one to forget.
     */
    @EachAlgorithm
    void forgetsWithoutAnybodyNoticing(String algorithm) {
        Random random = Seeds.random(getClass());
        Plan plan = Plan.of(Limit.parse("6/10s").using(algorithm), Limit.parse("9/15s"));
        BoundPlan boundPlan = new BoundPlan(plan, Headgate.algorithms());
        Map<String, Object> states = new HashMap<>();
        Map<String, Long> fullAt = new HashMap<>();
        for (int round = Seeds.rounds(20_000); round > 0; round--) {
            time.advance(random.nextInt(4_000_000));
            String subject = "key " + random.nextInt(12);
            long needed = fullAt.entrySet().stream()
                    .filter(each -> !each.getKey().equals(subject) && each.getValue() > time.nowMicros())
                    .count();
            if (needed >= 4) {
                continue;
            }
            int cost = 1 + random.nextInt(7);
            boolean peek = random.nextInt(5) == 0;
            Operation operation = peek ? new Operation.Peek(cost) : new Operation.Take(cost, 0);

            Decision decision = store.bind("api", plan).apply(subject, operation);

            long now = time.nowMicros();
            Object state = states.computeIfAbsent(subject, missing -> boundPlan.fresh(now));
            Decision remembered =
                    peek ? boundPlan.peek(state, subject, cost, now) : boundPlan.take(state, subject, cost, 0, now);
            if (remembered instanceof Grant granted && granted.stamp() != null) {
                states.put(subject, granted.stamp());
            }
            assertThat(decision.standings()).isEqualTo(remembered.standings());
            assertThat(decision.allowed()).isEqualTo(remembered.allowed());
            fullAt.put(subject, now + decision.resetAfter().toNanos() / 1_000);
        }
        assertThat(store.overflowDecisions()).isZero();
        assertThat(states).hasSize(12);
        assertThat(store.keys()).isLessThanOrEqualTo(4);
    }

    /** A refund there would give back nothing, or something else. */
    @Test
    void rejectsTheReceiptOfAnotherStore() {
        Plan plan = Plan.parse("5/min");
        Ledger ledger = store.bind("api", plan);
        Decision.Allowed there = Grant.of(plan.limits().get(0), "alice", 1, 4, 0, 0, "of a store far away");
        KeyState state = KeyState.fresh(new BoundPlan(plan, Headgate.algorithms()), 0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ledger.apply("alice", new Operation.Refund(there)))
                .withMessageContaining("another store has made the receipt Allowed[5/min: 4 remaining] for 'alice'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> state.apply(new Operation.Refund(there), "alice", 0))
                .withMessageContaining("another store");
        assertThat(there.refundable()).isEqualTo(1);
    }
}
