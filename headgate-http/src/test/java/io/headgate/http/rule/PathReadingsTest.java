package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In how many ways a path can be read. */
class PathReadingsTest {

    private static final String[] PARTS = {
        "a", "b", "/", "/", "/", ".", "..", "%2f", "%2e", "%25", "%", "\\", " ", ";", "1"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/api/orders",
                "/a.b/c-d_e~f",
                "/api/v1.2/x;y",
                "//api//orders",
                "/a:b@c+d",
                "/caf\u00e9"
            })
    void readsMostPathsInOneWay(String path) {
        assertThat(PathReadings.isPlain(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/, /api",
        "/./api, /api",
        "/.well-known/x, ''",
        "/a/../../b, /b",
        "/a%2Fb, /a/b",
        "/100%, ''",
        "/a\\b, /a/b",
        "/a/b//../c, /a/c",
        "/a/b%2F%2F..%2Fc, /a/c|/a/b/c",
        "/..%2f, /",
    })
    void readsOthersInSeveral(String path, String others) {
        assertThat(PathReadings.isPlain(path)).isFalse();
        assertThat(String.join("|", PathReadings.others(path))).isEqualTo(others);
    }

    /** What is taken for plain is so: whatever is read in another way has the same segments. */
    @Test
    void takesForPlainOnlyWhatIs() {
        Random random = Seeds.random(getClass());
        int plain = 0;
        for (int round = 0; round < Seeds.rounds(50_000); round++) {
            StringBuilder path = new StringBuilder("/");
            for (int i = random.nextInt(8); i > 0; i--) {
                path.append(PARTS[random.nextInt(PARTS.length)]);
            }
            String text = path.toString();
            for (String reading : PathReadings.others(text)) {
                if (PathReadings.isPlain(text)) {
                    plain++;
                    assertThat(reading).isEqualTo(text.replaceAll("//+", "/"));
                }
                assertThat(PathReadings.others(reading))
                        .as("%s of %s", reading, text)
                        .isEmpty();
            }
        }
        assertThat(plain).isPositive();
    }

    /** A path that was encoded thousands of times is decoded in one go. */
    @Test
    void decodesOnceHoweverOftenItWasEncoded() {
        assertThat(PathReadings.others("/%" + "25".repeat(100_000) + "2e/a")).containsExactly("/a");
    }
}
