package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class KeyTest {

    /** Known bugs C9, K04: nothing is joined, so nothing can collide. */
    @Test
    void keepsItsPartsApart() {
        assertThat(new Key("a.b", "c")).isNotEqualTo(new Key("a", "b.c")).isNotEqualTo(new Key("a.", "bc"));
        assertThat(new Key("a", "b")).isEqualTo(new Key("a", "b"));
    }

    /** Known bugs C8, K03: no subject is special, whatever is in it. */
    @Test
    void takesAnySubject() {
        for (String subject : new String[] {" ", "{}", ":", "\r\n", "\0", "\uD83D\uDE00", "x".repeat(10_000)}) {
            assertThat(new Key("rule", subject).subject()).isEqualTo(subject);
        }
    }

    @Test
    void rejectsNobody() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Key("rule", ""))
                .withMessage("a key must not be empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Key("rule", null))
                .withMessage("a key must not be null");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> new Key(null, "alice"))
                .withMessage("scope");
    }
}
