package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Limit BUCKET = Limit.parse("10/s");
    private static final Limit LOG = Limit.parse("5/min").using("sliding-window-log");

    @Test
    void keepsTheOrderOfItsLimits() {
        assertThat(Plan.parse("10/s", "100/min"))
                .isEqualTo(Plan.of(Limit.parse("10/s"), Limit.parse("100/min")))
                .isNotEqualTo(Plan.parse("100/min", "10/s"))
                .hasToString("[10/s token-bucket, 100/min token-bucket]");
    }

    @Test
    void callsALimitByItsAlgorithmAndNameOrPlace() {
        Plan plan = Plan.of(BUCKET, LOG, BUCKET.named("daily"), BUCKET, LOG);

        assertThat(plan.ids())
                .containsExactly(
                        "token-bucket:0",
                        "sliding-window-log:0",
                        "token-bucket:daily",
                        "token-bucket:1",
                        "sliding-window-log:1");
    }

    /** Known bug C10: a changed limit continues the state of the one it was. */
    @Test
    void leavesTheNumbersOutOfAnId() {
        assertThat(Plan.of(BUCKET.burst(99)).ids()).isEqualTo(Plan.parse("7/h").ids());
    }

    @Test
    void cannotBeChangedFromOutside() {
        List<Limit> limits = new ArrayList<>(List.of(BUCKET));
        Plan plan = new Plan(limits);
        limits.add(LOG);

        assertThat(plan.limits()).containsExactly(BUCKET);
    }

    @Test
    void rejectsAPlanWithoutLimits() {
        assertThatIllegalArgumentException()
                .isThrownBy(Plan::of)
                .withMessage("a plan needs at least one limit, such as 100/min");
        assertThatIllegalArgumentException()
                .isThrownBy(Plan::parse)
                .withMessage("a plan needs at least one limit, such as 100/min");
    }

    @Test
    void rejectsTwoLimitsOfOneName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.of(BUCKET.named("calls"), LOG.named("calls")))
                .withMessage("two limits of one plan are called 'calls'");
    }

    /** Known bug C6: two limits that went by one id would share one state. */
    @Test
    void rejectsANameThatIsThePlaceOfAnother() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plan.of(BUCKET, BUCKET.named("0")))
                .withMessage("two limits of one plan go by 'token-bucket:0'; give one of them another name");
        assertThat(Plan.of(BUCKET, LOG.named("0")).ids()).doesNotHaveDuplicates();
    }
}
