package io.headgate.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.http.LedgerFactory;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is sent when, on a clock that stands still unless it is moved. */
class OutgoingLimiterTest {

    private static final String HOST = "api.example.com";
    private static final OutgoingClient CLIENT =
            OutgoingClient.named("payments").hosts(HOST);

    private final ManualTime time = new ManualTime();
    private final Headgate headgate = Headgate.builder().timeSource(time).build();

    private OutgoingLimiter limiter(OutgoingClient client) {
        return OutgoingLimits.of(LedgerFactory.of(headgate), time, "token-bucket", List.of(client))
                .client(client.name());
    }

    private static OutgoingPermit now(OutgoingLimiter limiter) {
        return now(limiter, HOST);
    }

    private static OutgoingPermit now(OutgoingLimiter limiter, String host) {
        CompletableFuture<OutgoingPermit> permit = limiter.acquireAsync(host);
        assertThat(permit).isCompleted();
        return permit.join();
    }

    private static OutgoingLimitException denied(OutgoingLimiter limiter) {
        return denied(limiter.acquireAsync(HOST));
    }

    private static OutgoingLimitException denied(CompletableFuture<OutgoingPermit> permit) {
        assertThat(permit).isCompletedExceptionally();
        return (OutgoingLimitException)
                catchThrowableOfType(CompletionException.class, permit::join).getCause();
    }

    private static void answer(OutgoingPermit permit, int status, String... headers) {
        permit.answered(status, name -> {
            for (int i = 0; i < headers.length; i += 2) {
                if (headers[i].equals(name)) {
                    return headers[i + 1];
                }
            }
            return null;
        });
    }

    private void pass(String duration) {
        time.advance(Duration.parse("PT" + duration));
    }

    @Test
    void sendsWhatTheLimitAllowsAndSaysHowLongToWait() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("2/s"));
        now(limiter);
        now(limiter);

        OutgoingLimitException denied = denied(limiter);
        assertThat(denied.client()).isEqualTo("payments");
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(500));
        assertThat(denied).hasMessageContaining("2/s").hasMessageContaining("500 ms");
    }

    @Test
    void waitsFirstComeFirstServed() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("1/s").maxWait(Duration.ofSeconds(3)));
        now(limiter);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            limiter.acquireAsync(HOST).thenAccept(permit -> order.add(number));
        }

        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofSeconds(4));
        pass("1S");
        assertThat(order).containsExactly(0);
        pass("2S");
        assertThat(order).containsExactly(0, 1, 2);
    }

    @Test
    void aCancelledWaiterGivesItsPermitBack() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("1/s").maxWait(Duration.ofSeconds(2)));
        now(limiter);
        CompletableFuture<OutgoingPermit> first = limiter.acquireAsync(HOST);
        CompletableFuture<OutgoingPermit> second = limiter.acquireAsync(HOST);

        first.cancel(true);
        pass("1S");
        assertThat(second).isCompleted();
    }

    @Test
    void a429StopsEverybodyUntilTheTimeIsOver() {
        OutgoingLimiter limiter = limiter(CLIENT);
        answer(now(limiter), 429, "Retry-After", "10");

        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofSeconds(10));
        pass("9.999999S");
        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofNanos(1_000));
        pass("0.000001S");
        now(limiter);
    }

    @Test
    void whoeverIsFirstAfterAPauseAndDoesNotSendLeavesThatToTheNext() {
        OutgoingLimiter limiter = limiter(CLIENT);
        answer(now(limiter), 429, "Retry-After", "10");
        pass("10S");

        now(limiter).giveBack();
        now(limiter);
        denied(limiter);
    }

    /** However many policies it has named before, all of which are kept until their time is over. */
    @Test
    void a429StopsEverybodyEvenIfTheServerHasManyPolicies() {
        OutgoingLimiter limiter = limiter(CLIENT);
        StringBuilder policies = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            policies.append('"').append(i).append("\";r=9;t=100,");
        }
        answer(now(limiter), 200, "RateLimit", policies.toString());
        answer(now(limiter), 429, "Retry-After", "10");

        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aPauseTakesNothingFromTheLimits() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("5/h"));
        answer(now(limiter), 429, "Retry-After", "10");
        for (int i = 0; i < 20; i++) {
            denied(limiter);
        }

        pass("10S");
        answer(now(limiter), 200);
        for (int i = 0; i < 3; i++) {
            now(limiter);
        }
        denied(limiter);
    }

    @Test
    void thoseWhoWaitWhenA429ArrivesWaitOnOrAreDenied() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("1/s").maxWait(Duration.ofSeconds(3)));
        OutgoingPermit sent = now(limiter);
        List<CompletableFuture<OutgoingPermit>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(limiter.acquireAsync(HOST)); // with slots at 1, 2 and 3 s
        }
        answer(sent, 429, "Retry-After", "2");

        pass("1.999999S");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        pass("0.000001S");
        assertThat(waiting.get(0)).isCompleted();
        assertThat(waiting.get(1)).isNotDone(); // one request finds out whether the server allows more
        answer(waiting.get(0).join(), 200);
        assertThat(waiting.get(1)).isCompleted();
        pass("1S");
        assertThat(waiting.get(2)).isCompleted();
    }

    @Test
    void aLaterWaitDeniesThoseWhoCannotWaitThatLong() {
        OutgoingLimiter limiter = limiter(CLIENT.maxWait(Duration.ofSeconds(5)));
        OutgoingPermit first = now(limiter);
        OutgoingPermit second = now(limiter);
        answer(first, 429, "Retry-After", "4");
        CompletableFuture<OutgoingPermit> waiting = limiter.acquireAsync(HOST);
        assertThat(waiting).isNotDone();

        answer(second, 429, "Retry-After", "60");
        assertThat(denied(waiting).retryAfter()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void oneRequestGoesFirstAfterAPause() {
        OutgoingLimiter limiter = limiter(CLIENT.maxWait(Duration.ofSeconds(20)));
        answer(now(limiter), 429, "Retry-After", "10");
        List<CompletableFuture<OutgoingPermit>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(limiter.acquireAsync(HOST));
        }

        pass("10S");
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(1);
        answer(waiting.get(0).join(), 429, "Retry-After", "3");
        pass("2.9S");
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(1);
        pass("0.1S");
        answer(waiting.get(1).join(), 200);
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    /** A probe that is lost does not stop everybody else. */
    @Test
    void anotherRequestGoesFirstIfTheOneBeforeGetsNoAnswer() {
        OutgoingLimiter limiter = limiter(CLIENT.maxWait(Duration.ofSeconds(20)));
        answer(now(limiter), 429, "Retry-After", "10");
        List<CompletableFuture<OutgoingPermit>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(limiter.acquireAsync(HOST));
        }

        pass("10S");
        waiting.get(0).join().failed();
        assertThat(waiting.get(1)).isNotDone();
        pass("3S");
        assertThat(waiting.get(1)).isCompleted();
        assertThat(waiting.get(2)).isNotDone();
    }

    @Test
    void sendsNoMoreThanRemainsCountingThoseOnTheirWay() {
        OutgoingLimiter limiter = limiter(CLIENT);
        OutgoingPermit first = now(limiter);
        OutgoingPermit second = now(limiter);
        answer(first, 200, "RateLimit", "\"a\";r=4;t=30");
        for (int i = 0; i < 3; i++) { // and one is on its way
            now(limiter);
        }

        denied(limiter);
        answer(second, 200, "RateLimit", "\"a\";r=3;t=30"); // it was counted, and the three are on their way
        denied(limiter);
    }

    @Test
    void anAnswerThatIsLateTellsNothingNew() {
        OutgoingLimiter limiter = limiter(CLIENT);
        OutgoingPermit first = now(limiter);
        OutgoingPermit second = now(limiter);
        answer(second, 200, "RateLimit", "\"a\";r=1;t=30");
        answer(first, 200, "RateLimit", "\"a\";r=2;t=31");

        OutgoingPermit last = now(limiter);
        denied(limiter);
        answer(last, 200, "RateLimit", "\"a\";r=0;t=30");
        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void anAnswerOfTheWindowBeforeTellsNothingAboutThisOne() {
        OutgoingLimiter limiter = limiter(CLIENT);
        OutgoingPermit late = now(limiter);
        answer(now(limiter), 200, "RateLimit", "\"a\";r=0;t=5");
        pass("5S");
        answer(now(limiter), 200, "RateLimit", "\"a\";r=9;t=5");
        answer(late, 200, "RateLimit", "\"a\";r=1;t=1");
        for (int i = 0; i < 9; i++) {
            now(limiter);
        }
    }

    @Test
    void thoseInLineAreDeniedWhenAnotherInstanceHasLearnedOfALongerWait() {
        OutgoingLimiter one = limiter(CLIENT);
        OutgoingLimiter other = limiter(CLIENT.maxWait(Duration.ofSeconds(5)));
        OutgoingPermit sent = now(one);
        answer(now(other), 429, "Retry-After", "4");
        CompletableFuture<OutgoingPermit> first = other.acquireAsync(HOST);
        CompletableFuture<OutgoingPermit> second = other.acquireAsync(HOST);
        answer(sent, 429, "Retry-After", "60");

        pass("4S");
        assertThat(denied(first).retryAfter()).isEqualTo(Duration.ofSeconds(56));
        assertThat(denied(second).retryAfter()).isEqualTo(Duration.ofSeconds(56));
    }

    @Test
    void aFixedWindowIsUsedWholeAndABucketStepByStep() {
        OutgoingLimiter limiter = limiter(CLIENT.maxWait(Duration.ofSeconds(60)));
        answer(now(limiter), 200, "RateLimit", "\"a\";r=0;t=30");
        List<CompletableFuture<OutgoingPermit>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.add(limiter.acquireAsync(HOST));
        }

        pass("30S"); // a whole new window
        answer(waiting.get(0).join(), 200, "RateLimit", "\"a\";r=2;t=30");
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(3);
        answer(waiting.get(1).join(), 200, "RateLimit", "\"a\";r=1;t=30");
        answer(waiting.get(2).join(), 200, "RateLimit", "\"a\";r=0;t=6");
        pass("6S"); // a single permit
        answer(waiting.get(3).join(), 200, "RateLimit", "\"a\";r=0;t=6");
        pass("6S");
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(5);
    }

    @Test
    void whatAServerDoesNotRepeatIsForgotten() {
        OutgoingLimiter limiter = limiter(CLIENT);
        answer(now(limiter), 200, "RateLimit", "\"a\";r=0;t=30");
        pass("30S");
        answer(now(limiter), 200);

        for (int i = 0; i < 50; i++) {
            now(limiter);
        }
    }

    @Test
    void anotherInstancePausesToo() {
        OutgoingLimiter one = limiter(CLIENT);
        OutgoingLimiter other = limiter(CLIENT.maxWait(Duration.ofSeconds(15)));
        now(other);
        answer(now(one), 429, "Retry-After", "10");

        CompletableFuture<OutgoingPermit> waiting = other.acquireAsync(HOST);
        pass("9.999S");
        assertThat(waiting).isNotDone();
        pass("0.001S");
        assertThat(waiting).isCompleted();
    }

    @Test
    void aPauseIsTheLongestThatAnyInstanceWasToldAndNeverTheirSum() {
        OutgoingLimiter one = limiter(CLIENT);
        OutgoingLimiter two = limiter(CLIENT);
        OutgoingPermit first = now(one);
        OutgoingPermit second = now(two);
        OutgoingPermit third = now(one);
        answer(first, 429, "Retry-After", "10");
        answer(second, 429, "Retry-After", "10");
        pass("4S");
        answer(third, 429, "Retry-After", "5");

        assertThat(denied(limiter(CLIENT)).retryAfter()).isEqualTo(Duration.ofSeconds(6));
        pass("6S");
        now(limiter(CLIENT));
    }

    @Test
    void aPauseIsCapped() {
        OutgoingLimiter limiter = limiter(CLIENT.maxPause(Duration.ofMinutes(2)));
        answer(now(limiter), 429, "Retry-After", "99999999");

        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofMinutes(2));
        assertThat(denied(limiter(CLIENT)).retryAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void hostsShareABudgetOrHaveTheirOwn() {
        OutgoingLimiter shared = limiter(CLIENT.limits("1/h"));
        now(shared, "a.example.com");
        denied(shared.acquireAsync("b.example.com"));

        OutgoingLimiter own =
                limiter(OutgoingClient.named("own").hosts("*").limits("2/h").perHost(true));
        answer(now(own, "a.example.com"), 429, "Retry-After", "10");
        denied(own.acquireAsync("a.example.com"));
        denied(own.acquireAsync("A.Example.com."));
        now(own, "b.example.com");
    }

    @Test
    void keepsWhatItLearnedOfSoManyHostsAndLetsTheOthersShare() {
        OutgoingLimiter limiter = limiter(OutgoingClient.named("own").hosts("*").perHost(true));
        for (int i = 0; i < 10_000; i++) {
            answer(now(limiter, "host" + i), 429, "Retry-After", "60");
        }
        answer(now(limiter, "one"), 429, "Retry-After", "60");
        denied(limiter.acquireAsync("other"));

        pass("60S"); // nothing is worth keeping any more
        answer(now(limiter, "one"), 429, "Retry-After", "60");
        now(limiter, "other");
    }

    @Test
    void learnsNothingIfItIsNotTo() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("2/h").learn(false));
        OutgoingPermit sent = now(limiter);
        answer(sent, 429, "Retry-After", "10");
        sent.giveBack(); // too late
        now(limiter);
        denied(limiter);
    }

    @Test
    void whatIsNotSentIsGivenBackOnce() {
        OutgoingLimiter limiter = limiter(CLIENT.limits("1/h"));
        OutgoingPermit unused = now(limiter);
        unused.giveBack();
        unused.giveBack();
        OutgoingPermit used = now(limiter);
        used.answered(200, name -> null);
        used.giveBack();
        denied(limiter);
    }

    @Test
    void failuresOfTheStoreFollowThePolicy() {
        Store broken = new Store() {
            @Override
            public Ledger bind(String scope, io.headgate.Plan plan) {
                return (subject, operation) -> {
                    throw new StoreException("broken");
                };
            }
        };
        for (boolean guarded : new boolean[] {true, false}) {
            Headgate.Builder builder = Headgate.builder().store(broken).timeSource(time);
            LedgerFactory ledgers = LedgerFactory.of((guarded ? builder : builder.unguarded()).build());
            for (Map.Entry<FailurePolicy, Boolean> each : Map.of(
                            FailurePolicy.OPEN, true, FailurePolicy.LOCAL, true, FailurePolicy.CLOSED, false)
                    .entrySet()) {
                OutgoingLimiter limiter = OutgoingLimits.of(
                                ledgers,
                                time,
                                "token-bucket",
                                List.of(CLIENT.limits("5/h").onStoreFailure(each.getKey())))
                        .client("payments");
                CompletableFuture<OutgoingPermit> permit = limiter.acquireAsync(HOST);
                permit.handle((sent, failure) -> null).join();
                assertThat(permit.isCompletedExceptionally())
                        .as(guarded + " " + each)
                        .isEqualTo(!each.getValue());
                if (!each.getValue()) {
                    assertThat(denied(permit)).hasCauseInstanceOf(StoreException.class);
                }
            }
        }
    }

    /** Nobody waits forever for a store that does not keep to its contract, and the answer of a server reaches the caller all the same. */
    @Test
    void aStoreThatThrowsWhatItMustNotDeniesAndDisturbsNoAnswer() {
        AtomicBoolean broken = new AtomicBoolean();
        LedgerFactory ledgers = (scope, plan, policy) -> {
            Ledger ledger = headgate.store().bind(scope, plan);
            return (subject, operation) -> {
                if (broken.get()) {
                    throw new IllegalStateException("a bug");
                }
                return ledger.apply(subject, operation);
            };
        };
        OutgoingLimiter limiter = OutgoingLimits.of(ledgers, time, "token-bucket", List.of(CLIENT))
                .client("payments");
        OutgoingPermit permit = now(limiter);

        broken.set(true);
        assertThat(denied(limiter)).hasRootCauseMessage("a bug");
        answer(permit, 429, "Retry-After", "10");
        assertThat(denied(limiter).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void findsTheClientOfAHost() {
        OutgoingLimits limits = OutgoingLimits.of(
                headgate,
                OutgoingClient.named("exact").hosts("api.example.com"),
                OutgoingClient.named("below").hosts("*.Example.com"),
                OutgoingClient.named("further").hosts("*.eu.example.com"));

        assertThat(limits.limiter("api.example.com").name()).isEqualTo("exact");
        assertThat(limits.limiter("API.example.com.").name()).isEqualTo("exact");
        assertThat(limits.limiter("x.example.com").name()).isEqualTo("below");
        assertThat(limits.limiter("a.b.example.com").name()).isEqualTo("below");
        assertThat(limits.limiter("a.eu.example.com").name()).isEqualTo("further");
        assertThat(limits.limiter("example.com")).isNull();
        assertThat(limits.limiter("evilexample.com")).isNull();
        assertThat(OutgoingLimits.of(headgate, OutgoingClient.named("all").hosts("*"))
                        .limiter("example.com")
                        .name())
                .isEqualTo("all");
    }

    @Test
    void readsTheHostOfAnAddress() {
        assertThat(List.of(
                        "https://API.example.com:8443/x",
                        "https://api.example.com./",
                        "https://user:secret@api.example.com"))
                .extracting(address -> OutgoingLimits.host(java.net.URI.create(address)))
                .containsOnly("api.example.com");
        assertThat(OutgoingLimits.host(java.net.URI.create("http://my_service:8080/x")))
                .isEqualTo("my_service");
        assertThat(OutgoingLimits.host(java.net.URI.create("http://[::1]:80/"))).isEqualTo("[::1]");
        assertThat(OutgoingLimits.host(java.net.URI.create("/relative"))).isEmpty();
    }

    @Test
    void saysEverythingThatIsWrong() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> OutgoingLimits.of(
                        headgate,
                        CLIENT.limits("50/ss").hosts("https://api.example.com/v1"),
                        OutgoingClient.named("b").hosts("x").learn(false).maxPause(Duration.ZERO),
                        OutgoingClient.named("b").hosts("x", "y:80").limits("1/s leaky")))
                .withMessageContaining("client 'payments': hosts: 'https://api.example.com/v1' is not a host;"
                        + " write the name alone, such as api.example.com")
                .withMessageContaining("client 'payments': limit '50/ss'")
                .withMessageContaining("two clients are called 'b'")
                .withMessageContaining("host 'x' is claimed by client 'b' and by client 'b'")
                .withMessageContaining("client 'b': has no limits and learn: false")
                .withMessageContaining("max-pause = PT0S: must be between 1s and 24d")
                .withMessageContaining("write the name alone, such as y,");
    }
}
