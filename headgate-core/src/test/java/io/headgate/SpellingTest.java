package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    private static final List<String> KNOWN =
            List.of("trusted-proxies", "token-bucket", "path", "on-store-failure", "all", "ip", "sliding-window");

    @ParameterizedTest
    @CsvSource({
        "trusted-proxy, trusted-proxies",
        "trustedProxies, trusted-proxies",
        "TOKEN_BUCKET, token-bucket",
        "paht, path",
        "on-store-failur, on-store-failure",
        "al, all",
        "ipp, ip",
        "silding-windows, sliding-window"
    })
    void findsTheWordThatWasMeant(String written, String meant) {
        assertThat(Spelling.hint(written, KNOWN)).isEqualTo("; did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({"moon", "any", "x", "''"})
    void findsNothingThatIsFarAway(String written) {
        assertThat(Spelling.hint(written, KNOWN)).isEmpty();
        assertThat(Spelling.hint(written, List.of())).isEmpty();
    }

    @Test
    void choosesTheClosest() {
        assertThat(Spelling.closest("sliding-window-lgo", List.of("sliding-window", "sliding-window-log")))
                .contains("sliding-window-log");
    }
}
