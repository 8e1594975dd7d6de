package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.algorithm.BuiltIn;
import io.headgate.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadgateTest {

    private static final Store DOWN = (scope, plan) -> (subject, operation) -> {
        throw new StoreException("down");
    };

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final Headgate headgate = Headgate.builder().timeSource(time).build();

    @Test
    void limitsInOneLine() {
        RateLimiter limiter = Headgate.limiter("2/h");

        assertThat(limiter.tryAcquire("alice").allowed()).isTrue();
        assertThat(limiter.tryAcquire("alice").allowed()).isTrue();
        assertThat(limiter.tryAcquire("alice")).isInstanceOf(Decision.Denied.class);
        assertThat(limiter.tryAcquire("bob").allowed()).isTrue();
        assertThat(limiter).hasToString("RateLimiter[default, [2/h token-bucket]]");
    }

    @Test
    void keepsLimitersOfOneLineApart() {
        assertThat(Headgate.limiter("1/h").tryAcquire("alice").allowed()).isTrue();
        assertThat(Headgate.limiter("1/h").tryAcquire("alice").allowed()).isTrue();
    }

    /** Known bugs K06, C10. */
    @Test
    void keepsScopesApartAndSharesWithinOne() {
        Plan plan = Plan.parse("1/h");

        assertThat(headgate.limiter("login", plan).tryAcquire("alice").allowed())
                .isTrue();
        assertThat(headgate.limiter("api", plan).tryAcquire("alice").allowed()).isTrue();
        assertThat(headgate.limiter("login", Plan.parse("1/h"))
                        .tryAcquire("alice")
                        .allowed())
                .isFalse();
    }

    @Test
    void offersEveryVerb() {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));

        Decision.Allowed receipt = (Decision.Allowed) limiter.tryAcquire("alice", 3);
        assertThat(receipt.remaining()).isEqualTo(2);
        assertThat(limiter.peek("alice").remaining()).isEqualTo(2);
        assertThat(limiter.peek("alice", 3)).isInstanceOf(Decision.Denied.class);
        limiter.refund(receipt);
        limiter.refund(receipt);
        assertThat(limiter.peek("alice").remaining()).isEqualTo(5);
        assertThat(limiter.tryAcquire("alice", 5).allowed()).isTrue();
        limiter.reset("alice");
        assertThat(limiter.peek("alice").remaining()).isEqualTo(5);
        assertThat(limiter.tryAcquire("alice", 6)).isInstanceOf(Decision.Impossible.class);
        assertThat(limiter.scope()).isEqualTo("api");
        assertThat(limiter.plan()).isEqualTo(Plan.parse("5/h"));
    }

    @Test
    void offersEveryVerbWithoutHoldingAThread() {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));

        Decision.Allowed receipt =
                (Decision.Allowed) limiter.tryAcquireAsync("alice", 3).join();
        assertThat(limiter.tryAcquireAsync("alice").join().remaining()).isEqualTo(1);
        assertThat(limiter.peekAsync("alice", 2).join()).isInstanceOf(Decision.Denied.class);
        assertThat(limiter.refundAsync(receipt)).isCompleted();
        assertThat(limiter.refundAsync(receipt)).isCompleted();
        assertThat(limiter.peek("alice").remaining()).isEqualTo(4);
        assertThat(limiter.resetAsync("alice")).isCompleted();
        assertThat(limiter.peek("alice").remaining()).isEqualTo(5);
    }

    @Test
    void doesNotRefundWhatWasOnlyPeekedAt() {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));
        limiter.tryAcquire("alice", 3);

        limiter.refund((Decision.Allowed) limiter.peek("alice"));

        assertThat(limiter.peek("alice").remaining()).isEqualTo(2);
    }

    /** Known bug C5. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void rejectsACostBelowOne(long cost) {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));

        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("alice", cost));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek("alice", cost));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquire("alice", cost, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("alice", cost));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquireAsync("alice", cost, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.peekAsync("alice", cost));
        assertThat(limiter.peek("alice").remaining()).isEqualTo(5);
    }

    @Test
    void rejectsNobody() {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));

        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(""));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.acquireAsync("", 1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.reset(""));
    }

    @Test
    void rejectsANegativeWait() {
        RateLimiter limiter = headgate.limiter("api", Plan.parse("5/h"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.acquireAsync("alice", 1, Duration.ofSeconds(-1)))
                .withMessage("a wait must not be negative, but was PT-1S");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10/min | sliding-windows | no algorithm is called 'sliding-windows'; there are [fixed-window, leaky-bucket,"
                        + " sliding-window, sliding-window-counter, sliding-window-log, token-bucket]; did you mean 'sliding-window'?",
                "10/min burst 5 | leaky-bucket | limit '10/min burst 5 leaky-bucket': a burst needs the algorithm token-bucket,"
                        + " not leaky-bucket",
                "5 per calendar-day UTC | sliding-window | limit '5 per calendar-day UTC sliding-window': a calendar window"
                        + " needs the algorithm fixed-window, not sliding-window",
                "10001/h | sliding-window-log | limit '10001/h sliding-window-log': sliding-window-log keeps one entry per"
                        + " permit and takes at most 10000 of them; sliding-window keeps the same bound in constant space",
            })
    void rejectsAPlanItCannotKeepBeforeTheFirstRequest(String limit, String algorithm, String message) {
        Plan plan = Plan.of(Limit.parse("100/s"), Limit.parse(limit).using(algorithm));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> headgate.limiter("api", plan))
                .withMessage(message);
    }

    @Test
    void rejectsAStoreWithoutKeys() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Headgate.builder().maxKeys(0).build())
                .withMessage("a store must hold at least 1 key, not 0");
    }

    @Test
    void rejectsNothingInPlaceOfSomething() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> Headgate.builder().store(null))
                .withMessage("store");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> Headgate.builder().timeSource(null))
                .withMessage("time");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> headgate.limiter(null, Plan.parse("1/s")))
                .withMessage("scope");
    }

    @Test
    void takesTheUsersAlgorithm() {
        RateLimiter limiter = Headgate.builder()
                .algorithm(new Lifetime("lifetime"))
                .build()
                .limiter("trial", Plan.of(Limit.parse("2/s").using("lifetime")));

        assertThat(limiter.tryAcquire("alice", 2).remaining()).isZero();
        assertThat(limiter.tryAcquire("alice")).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void takesTheUsersAlgorithmInPlaceOfABuiltIn() {
        RateLimiter limiter = Headgate.builder()
                .algorithm(new Lifetime("token-bucket"))
                .timeSource(time)
                .build()
                .limiter("trial", Plan.parse("2/s"));

        assertThat(limiter.tryAcquire("alice", 2).allowed()).isTrue();
        time.advance(Duration.ofDays(1));
        assertThat(limiter.tryAcquire("alice").allowed()).isFalse();
    }

    @Test
    void raisesTheCapOfTheLogByReplacingIt() {
        RateLimiter limiter = Headgate.builder()
                .algorithm(BuiltIn.slidingWindowLog(20_000))
                .build()
                .limiter("api", Plan.of(Limit.parse("20000/h").using("sliding-window-log")));

        assertThat(limiter.tryAcquire("alice", 20_000).allowed()).isTrue();
    }

    /** A store applies its algorithms itself, so one that only the entry point knows would be unknown to it. */
    @Test
    void wantsTheAlgorithmWhereTheStoreIsBuilt() {
        Lifetime lifetime = new Lifetime("lifetime");
        Algorithms all = Headgate.algorithms().with(lifetime);

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Headgate.builder().algorithm(lifetime).store(DOWN).build())
                .withMessageContaining("the algorithm 'lifetime' was given to Headgate.builder()")
                .withMessageContaining("RedisStore.builder(uri).algorithm(algorithm)");
        assertThat(Headgate.builder()
                        .algorithm(lifetime)
                        .store(new MemoryStore(all, time, 10))
                        .build()
                        .limiter("trial", Plan.of(Limit.parse("2/s").using("lifetime")))
                        .tryAcquire("alice")
                        .allowed())
                .isTrue();
    }

    @Test
    void takesTheUsersStore() {
        List<Key> asked = new ArrayList<>();
        MemoryStore memory = new MemoryStore(Headgate.algorithms(), time, 10);
        Store store = new Store() {
            @Override
            public Ledger bind(String scope, Plan plan) {
                Ledger ledger = memory.bind(scope, plan);
                return (subject, operation) -> {
                    asked.add(new Key(scope, subject));
                    return ledger.apply(subject, operation);
                };
            }

            @Override
            public boolean inProcess() {
                return true;
            }
        };
        Headgate own = Headgate.builder().store(store).build();

        assertThat(own.store()).isSameAs(store);
        assertThat(own.guard()).isEmpty();
        assertThat(own.limiter("api", Plan.parse("1/h")).tryAcquire("alice").allowed())
                .isTrue();
        assertThat(asked).containsExactly(new Key("api", "alice"));
    }

    @Test
    void turnsAStoresTroubleIntoAFailedFuture() {
        RateLimiter limiter = Headgate.builder().store(DOWN).unguarded().build().limiter("api", Plan.parse("1/h"));

        CompletableFuture<Decision> answer = limiter.tryAcquireAsync("alice");

        assertThat(answer).isCompletedExceptionally();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> limiter.tryAcquire("alice"));
    }

    @Test
    void guardsAStoreThatIsNotInProcessUnlessToldNotTo() {
        Headgate guarded = Headgate.builder().store(DOWN).build();

        assertThat(guarded.guard()).isPresent();
        assertThat(guarded.limiter("api", Plan.parse("1/h")).tryAcquire("alice").degraded())
                .isTrue();
        assertThat(guarded.limiter("api", Plan.parse("1/h"), FailurePolicy.CLOSED)
                        .tryAcquire("alice"))
                .isInstanceOf(Decision.Unavailable.class);
    }

    @Test
    void rejectsAPolicyThatNothingWouldFollow() {
        Headgate unguarded = Headgate.builder().store(DOWN).unguarded().build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> unguarded.limiter("api", Plan.parse("1/h"), FailurePolicy.CLOSED))
                .withMessageContaining("unguarded()");
        assertThat(Headgate.builder().build().limiter("api", Plan.parse("1/h"), FailurePolicy.CLOSED))
                .isNotNull();
    }

    @Test
    void rejectsAReceiptThatNoStoreHasMade() {
        RateLimiter limiter = Headgate.limiter("2/h");
        Decision.Allowed forged = (Decision.Allowed) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Decision.Allowed.class},
                (proxy, method, arguments) -> null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.refund(forged))
                .withMessageContaining("not a receipt of a store");
    }

    @Test
    void sharesOneBudgetWithoutAKey() {
        RateLimiter limiter = Headgate.limiter("2/h");

        assertThat(limiter.tryAcquire().allowed()).isTrue();
        assertThat(limiter.tryAcquire().allowed()).isTrue();
        assertThat(limiter.tryAcquire().allowed()).isFalse();
        assertThat(limiter.tryAcquire("alice").allowed()).isTrue();
    }
}
