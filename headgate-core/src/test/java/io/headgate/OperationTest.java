package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTest {

    @Test
    void takesAndAsksAboutOnePermit() {
        assertThat(Operation.ONE).isEqualTo(new Operation.Take(1, 0));
        assertThat(Operation.PEEK).isEqualTo(new Operation.Peek(1));
    }

    /** Known bug C5: nothing is not a cost, and less than nothing is not a refund. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void rejectsACostBelowOne(long cost) {
        String message = "a cost must be at least 1, not " + cost + "; peek asks without spending";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Operation.Take(cost, 0))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Operation.Peek(cost))
                .withMessage(message);
    }

    @Test
    void rejectsANegativeWait() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Operation.Take(1, -1))
                .withMessage("a wait must not be negative, but was -1 us");
    }
}
