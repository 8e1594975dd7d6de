package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Wire;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a denied client is told, and what nobody is told. */
@ExtendWith(OutputCaptureExtension.class)
interface AnswerTricks extends Target {

    /** Known bugs R02, K05, H12: nothing that a client sent comes back in what we write, or is logged. */
    @Test
    default void nothingComesBack(CapturedOutput output) {
        String client = Target.stranger();
        String[] headers = {"X-API-Key: s3cr3t-" + client, "X-Forwarded-For: s3cr3t", "Authorization: Bearer s3cr3t"};
        spend(client, "GET /keyed?s3cr3t", headers);
        Wire.Answer denial = ask(client, "GET /keyed?s3cr3t", headers);
        isLimited("s3cr3t", denial);
        assertThat(denial.toString()).doesNotContain("s3cr3t").doesNotContain(client);
        assertThat(output).doesNotContain("s3cr3t");
    }

    /** A header of a client cannot become one of ours. */
    @ParameterizedTest
    @ValueSource(strings = {"a\rSet-Cookie: x=y", "a\nSet-Cookie: x=y", "a%0d%0aSet-Cookie: x=y", "a\u0000b"})
    default void splitHeaders(String value) {
        Wire.Answer answer = ask(Target.stranger(), "GET /keyed", "X-API-Key: " + value);
        assertThat(answer.headers()).doesNotContainKey("set-cookie");
        assertThat(ask(Target.stranger(), "GET /free").body()).startsWith(SERVED);
    }

    /** Known bugs H9, R03: waiting as long as we say is enough, and a second less is not. */
    @Test
    default void waitingIsEnough() {
        ManualTime time = application().context().getBean(ManualTime.class);
        String client = Target.stranger();
        assertThat(ask(client, "GET /wait").status()).isEqualTo(200);
        Wire.Answer denial = ask(client, "GET /wait");
        long seconds = Long.parseLong(denial.header("Retry-After"));
        time.advance(Duration.ofSeconds(seconds - 1));
        isLimited("a second early", ask(client, "GET /wait"));
        time.advance(Duration.ofSeconds(1));
        assertThat(ask(client, "GET /wait").status()).isEqualTo(200);
    }

    /** Known bugs H10, H11, R06: whatever a client would rather have, it gets a status and words that it can read. */
    @ParameterizedTest
    @ValueSource(
            strings = {"text/html", "application/json", "image/png", "*/*", "nonsense", "", "application/problem+json"})
    default void whateverAClientAccepts(String type) {
        String client = Target.stranger();
        spend(client, "GET /any");
        Wire.Answer denial = ask(client, "GET /any", "Accept: " + type, "Accept-Encoding: gzip, br");
        isLimited(type, denial);
        assertThat(denial.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(denial.body()).contains("\"status\":429", "Rate limit 'any' exceeded");
    }
}
