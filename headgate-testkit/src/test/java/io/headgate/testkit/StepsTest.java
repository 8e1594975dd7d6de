package io.headgate.testkit;

import static io.headgate.testkit.Steps.at;
import static io.headgate.testkit.Steps.steps;
import static io.headgate.testkit.Steps.story;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.Limit;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StepsTest {

    private final Limit limit = Limit.parse("2/min");

    @Test
    void tellsAStoryWithEveryVerb() {
        steps(
                limit,
                at("0s").take(2).as("both").allowed(0),
                at("1s").take(1).denied("29s"),
                at("1s").refund("both").allowed(2),
                at("1s").take(2).allowed(0),
                at("2s").take(1).within("29s").delayedBy("29s"),
                at("2s").reset().allowed(2).resetsAfter("0s"),
                at("3s").change(limit.burst(5)).allowed(5),
                at("3s").peek(6).impossible(),
                at(Instant.parse("2026-03-02T00:00:04Z")).take(5).allowed(0));
    }

    @Test
    void namesTheStepThatFailsAndShowsHowItCameToIt() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> steps(
                        limit,
                        at("0s").take(1).allowed(1),
                        at("500ms").take(1).allowed(1),
                        at("1s").take(1).denied()))
                .withMessageContaining("step 2 of ")
                .withMessageContaining("1. at 0s Take[cost=1, within=PT0S] -> Allowed[2/min: 1 remaining")
                .withMessageContaining("2. at 500ms Take[cost=1, within=PT0S] -> Allowed[2/min: 0 remaining")
                .withMessageContaining("Expected remaining to be 1, but was 0")
                .withMessageNotContaining("3. ");
    }

    @Test
    void rejectsARefundOfWhatWasNotGranted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> story(limit, at("0s").refund("nothing")).tell())
                .withMessageContaining("no earlier grant for: at 0s Refund[label=nothing]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> steps(limit, at("0s").take(9).as("never").impossible(), at("0s").refund("never")));
    }

    @Test
    void letsOnlyATakeWait() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> at("0s").peek(1).within("1s"))
                .withMessageContaining("only taking can wait, not at 0s Peek[cost=1]");
    }

    @Test
    void rejectsWhatIsNotATime() {
        for (String text : new String[] {"", "1", "s", "1 s", "1sx", "-1s", "1.5s"}) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> at(text))
                    .withMessage("not a time: '" + text + "'; write 29s, 1h30min or 999ms999us");
        }
    }
}
