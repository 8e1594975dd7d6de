package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {

    private static final List<Operation> THREE = List.of(Operation.ONE, Operation.ONE, Operation.ONE);

    private final Program program = new Program(Plan.parse("2/min"), Headgate.algorithms(), new Scripts());

    @Test
    void appliesTheOperationsToWhatTheScriptFound() {
        List<Decision> decisions = new Replay(program, reply(2), "alice").decisions(THREE, null);

        assertThat(decisions).extracting(Decision::allowed).containsExactly(true, true, false);
        assertThat(decisions).extracting(Decision::remaining).containsExactly(1L, 0L, 0L);
    }

    /** Whatever was charged, nobody goes ahead on a grant that the other side knows nothing of. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void letsNobodyInIfTheScriptGrantedOthers(int grants) {
        assertThatThrownBy(() -> new Replay(program, reply(grants), "alice").decisions(THREE, null))
                .isInstanceOf(StoreException.class)
                .hasMessage("the script granted " + grants + " operations that are 2 here");
    }

    /** The reply to somebody who had spent nothing. */
    private static byte[] reply(int grants) {
        return ByteBuffer.allocate(17)
                .putDouble(1_794_780_000_000_000.0)
                .putDouble(grants)
                .put((byte) '-')
                .array();
    }
}
