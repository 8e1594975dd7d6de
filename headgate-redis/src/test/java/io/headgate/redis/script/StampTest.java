package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a charge means under the plan and in the store where it is to be taken back. */
class StampTest {

    private static final Limit BUCKET = Limit.parse("5/min");
    private static final Limit WINDOW = Limit.parse("9/h").using("fixed-window");

    private static final byte[] CHARGED_BUCKET = {1};
    private static final byte[] CHARGED_WINDOW = {2};

    private final Program before = program(Plan.of(BUCKET, WINDOW));
    private final Stamp stamp = new Stamp(before, new byte[][] {CHARGED_BUCKET, CHARGED_WINDOW});

    @Test
    void findsWhatWasChargedInWhateverOrderLimitsAreNow() {
        Program now = program(Plan.of(WINDOW, BUCKET));

        assertThat(stamp.of(now.limits[0])).isSameAs(CHARGED_WINDOW);
        assertThat(stamp.of(now.limits[1])).isSameAs(CHARGED_BUCKET);
    }

    @Test
    void findsNothingUnderALimitThatWasNotCharged() {
        Program now = program(Plan.of(Limit.parse("9/h").using("sliding-window")));

        assertThat(stamp.of(now.limits[0])).isNull();
    }

    @Test
    void findsAWindowThatHasChanged() {
        Limit day = Limit.parse("1000 per calendar-day Europe/Berlin").using("fixed-window");

        assertThat(stamp.of(program(Plan.of(day)).limits[0])).isSameAs(CHARGED_WINDOW);
    }

    /** Another store can have an algorithm of the user's under the id of one that is built in. */
    @Test
    void findsNothingIfAnotherAlgorithmGoesByTheSameId() {
        Algorithm<?> original = Headgate.algorithms().get("token-bucket");
        Algorithm<?> mine = (Algorithm<?>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Algorithm.class},
                (proxy, method, arguments) -> method.invoke(original, arguments));
        Algorithms algorithms = Headgate.algorithms().with(mine);

        Program own = new Program(Plan.of(BUCKET), algorithms, new Scripts());

        assertThat(stamp.of(own.limits[0])).isNull();
        assertThat(new Stamp(own, new byte[][] {CHARGED_BUCKET}).of(before.limits[0]))
                .isNull();
    }

    private static Program program(Plan plan) {
        return new Program(plan, Headgate.algorithms(), new Scripts());
    }
}
