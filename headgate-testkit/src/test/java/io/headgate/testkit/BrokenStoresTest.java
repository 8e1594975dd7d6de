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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The contract of stores finds the faults that stores have. */
class BrokenStoresTest {

    /** A fault, and the test of the contract that must find it. */
    enum Fault {
        CHARGES_A_PEEK(ChargesAPeek.class, "spendsNothingOnAPeek"),
        KEEPS_WHAT_IS_RESET(KeepsWhatIsReset.class, "givesTheWholeBudgetBackOnAReset"),
        KEEPS_WHAT_IS_REFUNDED(KeepsWhatIsRefunded.class, "takesAChargeBackFromEveryLimit"),
        TAKES_ONE_KEY_FOR_ANOTHER(TakesOneKeyForAnother.class, "keepsKeysApart"),
        GRANTS_ONE_TOO_MANY(GrantsOneTooMany.class, "admitsExactlyTheLimitToManyThreadsOnOneKey"),
        STARTS_ANEW_AFTER_A_CHANGE(StartsAnew.class, "keepsWhatWasSpentWhenTheLimitChanges"),
        IS_A_MICROSECOND_FAST(IsAMicrosecondFast.class, "answersAsTheAlgorithmDoes");

        private final Class<? extends StoreContract> contract;
        private final String test;

        Fault(Class<? extends StoreContract> contract, String test) {
            this.contract = contract;
            this.test = test;
        }
    }

    @ParameterizedTest
    @EnumSource
    void areFound(Fault fault) {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(fault.contract))
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

    /** A store that is right but for what a subclass does. */
    private abstract static class Faulty implements Store {

        final Store sound;

        Faulty(Store sound) {
            this.sound = sound;
        }

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            return sound.apply(key, plan, operation);
        }

        @Override
        public void check(Plan plan) {
            sound.check(plan);
        }
    }

    static class ChargesAPeek extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    return sound.apply(key, plan, operation instanceof Operation.Peek ? Operation.ONE : operation);
                }
            };
        }
    }

    static class KeepsWhatIsReset extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    boolean reset = operation instanceof Operation.Reset;
                    return sound.apply(key, plan, reset ? new Operation.Peek(1) : operation);
                }
            };
        }
    }

    static class KeepsWhatIsRefunded extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    boolean refund = operation instanceof Operation.Refund;
                    return sound.apply(key, plan, refund ? new Operation.Peek(1) : operation);
                }
            };
        }
    }

    static class TakesOneKeyForAnother extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    Key lower = new Key(key.scope(), key.subject().toLowerCase(Locale.ROOT));
                    return sound.apply(lower, plan, operation);
                }
            };
        }
    }

    static class GrantsOneTooMany extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            AtomicInteger denials = new AtomicInteger();
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    Decision decision = sound.apply(key, plan, operation);
                    boolean lucky = !decision.allowed() && denials.incrementAndGet() == 100;
                    return lucky ? Decision.Allowed.of(plan.limits().get(0), key.subject(), 1, 0, 0, null) : decision;
                }
            };
        }
    }

    static class StartsAnew extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, time)) {
                @Override
                public Decision apply(Key key, Plan plan, Operation operation) {
                    return sound.apply(new Key(key.scope() + plan, key.subject()), plan, operation);
                }
            };
        }
    }

    static class IsAMicrosecondFast extends StoreContract {
        @Override
        protected Store open(Algorithms algorithms, Clockwork time) {
            return new Faulty(new PlainStore(algorithms, () -> time.nowMicros() + 1)) {};
        }
    }
}
