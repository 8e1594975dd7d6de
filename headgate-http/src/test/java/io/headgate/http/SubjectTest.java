package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubjectTest {

    /** Known bug C8: nobody is a type; no value is mistaken for it, and a blank one is nobody. */
    @Test
    void tellsSomebodyFromNobody() {
        assertThat(Subject.of("header", "absent")).isInstanceOf(Subject.Present.class);
        assertThat(Subject.of("header", "____EMPTY_KEY__")).isInstanceOf(Subject.Present.class);
        assertThat(Subject.of("header", "")).isSameAs(Subject.absent());
        assertThat(Subject.of("header", " \t")).isSameAs(Subject.absent());
    }

    @Test
    void keepsKindsApart() {
        assertThat(text("ip", "192.0.2.1")).isNotEqualTo(text("header", "192.0.2.1"));
        assertThatIllegalArgumentException().isThrownBy(() -> Subject.of("ip:", "192.0.2.1"));
    }

    /** Known bug I12: a megabyte of API key is one bounded key, and a longer one another. */
    @Test
    void boundsWhatAStoreHasToKeep() {
        String longest = "k".repeat(Subject.Present.LONGEST);
        String megabyte = "k".repeat(1 << 20);

        assertThat(text("header", longest)).isEqualTo("header:" + longest);
        assertThat(text("header", longest + "k")).hasSize("header;".length() + 64);
        assertThat(text("header", megabyte))
                .hasSize("header;".length() + 64)
                .isEqualTo(text("header", megabyte))
                .isNotEqualTo(text("header", megabyte + "k"));
    }

    /** Known bugs C9, K03: no two subjects have one text, whatever is in them; and none has that of a digest. */
    @Test
    void neverCollides() {
        Random random = Seeds.random(getClass());
        Map<String, Subject> seen = new HashMap<>();
        String[] pieces = {"a", "b", ":", ";", "{", "}", "\r\n", "\0", "\uD83D", "\uDE00", "/", "+", "x".repeat(63)};
        for (int round = 0; round < Seeds.rounds(20_000); round++) {
            StringBuilder value = new StringBuilder("v");
            for (int i = random.nextInt(5); i > 0; i--) {
                value.append(pieces[random.nextInt(pieces.length)]);
            }
            Subject.Present subject = new Subject.Present("k".repeat(random.nextInt(3)), value.toString());
            Subject known = seen.put(subject.text(), subject);
            assertThat(known == null || known.equals(subject)).isTrue();
        }
        String digest = text("k", "x".repeat(1_000));
        assertThat(text("k", digest.substring(2))).isNotEqualTo(digest);
    }

    private static String text(String kind, String value) {
        return ((Subject.Present) Subject.of(kind, value)).text();
    }
}
