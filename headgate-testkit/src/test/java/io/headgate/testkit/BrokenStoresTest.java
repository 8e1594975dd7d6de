package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The contract of stores finds the faults that stores have. */
class BrokenStoresTest {

    private static @Nullable Fault tried;

    /** A fault, and the test of the contract that must find it. */
    @SuppressWarnings("ImmutableEnumChecker") // one counts, and is tried once
    enum Fault {
        CHARGES_A_PEEK("spendsNothingOnAPeek", (sound, key, plan, operation) -> {
            boolean peek = operation instanceof Operation.Peek;
            return sound.apply(key, plan, peek ? Operation.ONE : operation);
        }),
        KEEPS_WHAT_IS_RESET("givesTheWholeBudgetBackOnAReset", (sound, key, plan, operation) -> {
            boolean reset = operation instanceof Operation.Reset;
            return sound.apply(key, plan, reset ? Operation.PEEK : operation);
        }),
        KEEPS_WHAT_IS_REFUNDED("takesAChargeBackFromEveryLimit", (sound, key, plan, operation) -> {
            boolean refund = operation instanceof Operation.Refund;
            return sound.apply(key, plan, refund ? Operation.PEEK : operation);
        }),
        TAKES_ONE_KEY_FOR_ANOTHER("keepsKeysApart", (sound, key, plan, operation) -> {
            Key lower = new Key(key.scope(), key.subject().toLowerCase(Locale.ROOT));
            return sound.apply(lower, plan, operation);
        }),
        GRANTS_ONE_TOO_MANY("allowsExactlyTheLimitToManyThreadsOnOneKey", new OneTooMany()),
        STARTS_ANEW_AFTER_A_CHANGE("keepsWhatWasSpentWhenTheLimitChanges", (sound, key, plan, operation) -> {
            Key other = new Key(key.scope() + plan, key.subject());
            return sound.apply(other, plan, operation);
        }),
        PROMISES_MORE_ONLY_WHEN_ALL_IS_BACK(
                "tellsToTheMicrosecondWhenMoreWillRemain", (sound, key, plan, operation) -> {
                    Decision decision = sound.apply(key, plan, operation);
                    long reset = decision.limits().get(0).resetAfterMicros();
                    return decision.allowed()
                            ? Decision.Allowed.of(
                                    decision.limit(), key.subject(), 1, decision.remaining(), reset, reset, null)
                            : decision;
                }),
        IS_A_MICROSECOND_FAST("answersAsTheAlgorithmDoes", Store::apply);

        private final String test;
        private final Way way;

        Fault(String test, Way way) {
            this.test = test;
            this.way = way;
        }

        Store store(Algorithms algorithms, Clockwork time) {
            int fast = this == IS_A_MICROSECOND_FAST ? 1 : 0;
            return new Faulty(new PlainStore(algorithms, () -> time.nowMicros() + fast), way);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areFound(Fault fault) {
        tried = fault;
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(FaultyContract.class))
                .filters(only(fault.test))
                .execute()
                .testEvents();

        assertThat(tests.started().count()).isPositive();
        assertThat(tests.failed().count()).isPositive();
    }

    private static PostDiscoveryFilter only(String test) {
        return descriptor -> FilterResult.includedIf(descriptor.getSource().orElse(null) instanceof MethodSource method
                && method.getMethodName().equals(test));
    }

    /** The contract, for the store that has the fault. */
    static class FaultyContract extends StoreContract {

        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return Objects.requireNonNull(tried, "tried").store(algorithms, time);
        }
    }

    /** How a store does with the help of a sound one what it is asked. */
    private interface Way {
        Decision apply(Store sound, Key key, Plan plan, Operation operation);
    }

    private record Faulty(Store sound, Way way) implements Store {

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            return way.apply(sound, key, plan, operation);
        }

        @Override
        public void check(Plan plan) {
            sound.check(plan);
        }
    }

    /** Lets the hundredth pass of those who are denied. */
    private static final class OneTooMany implements Way {

        private final AtomicInteger denials = new AtomicInteger();

        @Override
        public Decision apply(Store sound, Key key, Plan plan, Operation operation) {
            Decision decision = sound.apply(key, plan, operation);
            boolean lucky = !decision.allowed() && denials.incrementAndGet() == 100;
            return lucky ? Decision.Allowed.of(plan.limits().get(0), key.subject(), 1, 0, 0, 0, null) : decision;
        }
    }
}
