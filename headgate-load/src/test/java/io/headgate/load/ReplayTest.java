package io.headgate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.load.Recorder.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link Replay} under a limit of one request per window of a second. */
class ReplayTest {

    private static final Plan PLAN = Plan.of(Limit.parse("1/s").using("fixed-window"));

    private static final long SECOND = 1_000_000;

    private static Seen allowed(long at, long done) {
        return new Seen(PLAN, true, at, done, (at / SECOND + 1) * SECOND);
    }

    private static Seen denied(long at, long done) {
        return new Seen(PLAN, false, at, done, (at / SECOND + 1) * SECOND);
    }

    private static List<String> differences(Seen... seen) {
        return new Replay(PLAN, List.of(seen)).differences();
    }

    @Test
    void findsNothingWhereEveryAnswerIsRight() {
        assertThat(differences(allowed(10, 20), denied(30, 40), allowed(SECOND + 10, SECOND + 20)))
                .isEmpty();
    }

    @Test
    void findsWhoWasAllowedTooMuch() {
        assertThat(differences(allowed(10, 20), allowed(30, 40))).hasSize(1);
    }

    @Test
    void findsWhoWasDeniedThoughThereWasRoom() {
        assertThat(differences(denied(10, 20), allowed(30, 40))).hasSize(1);
        assertThat(differences(allowed(10, 20), denied(SECOND + 10, SECOND + 20)))
                .hasSize(1);
    }

    /** The denied request read the time in one window and returned in the next, in which another request was allowed meanwhile. */
    @Test
    void letsADenialBelongToTheWindowItWasMadeIn() {
        assertThat(differences(allowed(10, 20), denied(SECOND - 10, SECOND + 30), allowed(SECOND + 10, SECOND + 20)))
                .isEmpty();
    }

    @Test
    void findsADenialThatOnlyALaterWindowExplains() {
        assertThat(differences(denied(SECOND - 10, SECOND + 30), allowed(SECOND + 10, SECOND + 20)))
                .hasSize(1);
    }

    /** The allowed request wrote its grant before the denied one read the state, but read the time after it. */
    @Test
    void letsADenialSeeAGrantThatWasNotAnsweredYet() {
        assertThat(differences(denied(10, 30), allowed(20, 40))).isEmpty();
    }
}
