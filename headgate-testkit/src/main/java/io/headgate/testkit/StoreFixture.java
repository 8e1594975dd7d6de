package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import io.headgate.Store;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a store and its clock for every test of the {@link StoreContract}, and holds the helpers that its chapters share. */
abstract class StoreFixture {

    static final String EACH_ALGORITHM = "io.headgate.testkit.StoreFixture#algorithms";

    private @Nullable StoreClock time;
    private @Nullable Store store;

    /** Opens a new, empty store that knows the given algorithms and takes its time from the given clock. */
    protected abstract Store open(Algorithms algorithms, StoreClock time) throws Exception;

    /** Creates the clock of the store under test. */
    protected StoreClock clock() {
        return new ManualTime();
    }

    /** Closes the store after a test. */
    protected void close(Store store) throws Exception {
        if (store instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    @BeforeEach
    void openStore() throws Exception {
        time = clock();
        store = open(Headgate.algorithms().with(new Quota()), time);
    }

    @AfterEach
    void closeStore() throws Exception {
        close(store());
    }

    static Stream<String> algorithms() {
        return Stream.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window",
                "quota");
    }

    final Store store() {
        return Objects.requireNonNull(store);
    }

    final StoreClock time() {
        return Objects.requireNonNull(time);
    }

    final void needsStillTime() {
        assumeTrue(time().standsStill(), "this store keeps a time of its own");
    }

    final Headgate headgate() {
        return Headgate.builder().store(store()).unguarded().timeSource(time()).build();
    }

    final RateLimiter limiter(String limit, String algorithm) {
        return limiter(
                "scope of " + algorithm, Limit.parse(limit).using(algorithm).named("limit"));
    }

    final RateLimiter limiter(String scope, Limit... limits) {
        return headgate().limiter(scope, Plan.of(limits));
    }

    /** How many requests for one permit each are allowed at the same moment. */
    static long atOnce(String algorithm, long permits) {
        return algorithm.equals("leaky-bucket") ? 1 : permits;
    }

    static boolean refunds(String algorithm) {
        return !algorithm.equals("quota");
    }

    static Decision.Allowed granted(Decision decision) {
        assertThat(decision).isAllowed();
        return (Decision.Allowed) decision;
    }

    static List<Long> remaining(Decision decision) {
        return decision.standings().stream().map(Standing::remaining).toList();
    }
}
