package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.engine.Grant;
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
        CHARGES_A_PEEK("spendsNothingOnAPeek", (sound, subject, operation) -> {
            boolean peek = operation instanceof Operation.Peek;
            return sound.apply(subject, peek ? Operation.ONE : operation);
        }),
        KEEPS_WHAT_IS_RESET("givesTheWholeBudgetBackOnAReset", (sound, subject, operation) -> {
            boolean reset = operation instanceof Operation.Reset;
            return sound.apply(subject, reset ? Operation.PEEK : operation);
        }),
        KEEPS_WHAT_IS_REFUNDED("takesAChargeBackFromEveryLimit", (sound, subject, operation) -> {
            boolean refund = operation instanceof Operation.Refund;
            return sound.apply(subject, refund ? Operation.PEEK : operation);
        }),
        TAKES_ONE_KEY_FOR_ANOTHER("keepsKeysApart", (sound, subject, operation) -> {
            return sound.apply(subject.toLowerCase(Locale.ROOT), operation);
        }),
        GRANTS_ONE_TOO_MANY("allowsExactlyTheLimitToManyThreadsOnOneKey", new OneTooMany()),
        STARTS_ANEW_AFTER_A_CHANGE("keepsWhatWasSpentWhenTheLimitChanges", Ledger::apply) {
            @Override
            String scope(String scope, Plan plan) {
                return scope + plan;
            }
        },
        PROMISES_MORE_ONLY_WHEN_ALL_IS_BACK("tellsToTheMicrosecondWhenMoreWillRemain", (sound, subject, operation) -> {
            Decision decision = sound.apply(subject, operation);
            long reset = decision.standings().get(0).resetAfterMicros();
            return decision.allowed()
                    ? Grant.of(decision.limit(), subject, 1, decision.remaining(), reset, reset, null)
                    : decision;
        }),
        IS_A_MICROSECOND_FAST("answersAsTheAlgorithmDoes", Ledger::apply);

        private final String test;
        private final Way way;

        Fault(String test, Way way) {
            this.test = test;
            this.way = way;
        }

        Store store(Algorithms algorithms, StoreClock time) {
            int fast = this == IS_A_MICROSECOND_FAST ? 1 : 0;
            Store sound = new PlainStore(algorithms, () -> time.nowMicros() + fast);
            return (scope, plan) -> {
                Ledger ledger = sound.bind(scope(scope, plan), plan);
                return (subject, operation) -> way.apply(ledger, subject, operation);
            };
        }

        String scope(String scope, Plan plan) {
            return scope;
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
        protected Store open(Algorithms algorithms, StoreClock time) {
            return Objects.requireNonNull(tried, "tried").store(algorithms, time);
        }
    }

    /** How a ledger does with the help of a sound one what it is asked. */
    private interface Way {
        Decision apply(Ledger sound, String subject, Operation operation);
    }

    /** Lets the hundredth pass of those who are denied. */
    private static final class OneTooMany implements Way {

        private final AtomicInteger denials = new AtomicInteger();

        @Override
        public Decision apply(Ledger sound, String subject, Operation operation) {
            Decision decision = sound.apply(subject, operation);
            boolean lucky = !decision.allowed() && denials.incrementAndGet() == 100;
            return lucky ? Grant.of(decision.limit(), subject, 1, 0, 0, 0, null) : decision;
        }
    }
}
