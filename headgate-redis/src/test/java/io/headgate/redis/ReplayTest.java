package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
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
        List<Decision> decisions = new Replay(program, reply(31 * 1 + 2), "alice").decisions(THREE, null);

        assertThat(decisions).extracting(Decision::allowed).containsExactly(true, true, false);
        assertThat(decisions).extracting(Decision::remaining).containsExactly(1L, 0L, 0L);
    }

    /** Whatever was charged, nobody goes ahead on a grant that the other side knows nothing of: not even if they are as many. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 31 * 1 + 3, 31 * 2 + 3, (31 * 1 + 2) * 31 + 3})
    void letsNobodyInIfTheScriptGrantedOthers(int grants) {
        assertThatThrownBy(() -> new Replay(program, reply(grants), "alice").decisions(THREE, null))
                .isInstanceOf(StoreException.class)
                .hasMessage("a script has granted other operations than its twin here does");
    }

    /** What is told of one limit is no reason to go ahead under another. */
    @Test
    void allowsNothingThatALimitKnownHereDenies() {
        Limit log = Limit.parse("9/min").using("sliding-window-log");
        Program mixed = new Program(Plan.of(Limit.parse("2/min"), log), Headgate.algorithms(), new Scripts());
        List<Operation> three = List.of(new Operation.Take(3, 0));
        byte[] told = ByteBuffer.allocate(17 + 6 * Double.BYTES)
                .put(reply(1))
                .putDouble(0)
                .putDouble(6)
                .putDouble(-1)
                .putDouble(60_000_000)
                .putDouble(0)
                .putDouble(3)
                .array();

        assertThatThrownBy(() -> new Replay(mixed, told, "alice").decisions(three, null))
                .isInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void knowsThatWhatIsImpossibleIsNotWorthAnyWait(long maxWaitMicros) {
        List<Operation> operations = List.of(new Operation.Take(3, maxWaitMicros), Operation.ONE);

        List<Decision> decisions = new Replay(program, reply(2), "alice").decisions(operations, null);

        assertThat(decisions.get(0)).isInstanceOf(Decision.Impossible.class);
        assertThat(decisions.get(1).remaining()).isOne();
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
