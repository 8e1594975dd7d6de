package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.TimeSource;
import io.headgate.http.RequestView;
import io.headgate.spring.RuleLines;
import io.headgate.spring.boot.actuate.DenialLog;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The log of denials: off unless somebody asks for it, bounded, and silent about who exactly was denied. */
@ExtendWith(OutputCaptureExtension.class)
class DenialLogTest {

    private static final Pattern LINE = Pattern.compile("(?m)(outcome=.*)$");

    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class))
            .withBean(TimeSource.class, () -> time)
            .withPropertyValues(new RuleLines()
                    .rule("GET orders", "/orders", "limits=4/min burst 2", "subject=api-key")
                    .rule("strict", "/strict", "subject=bearer", "missing=deny")
                    .rule("shadow", "/shadow", "limits=1/h", "behavior=shadow")
                    .and());
    private final ApplicationContextRunner logging =
            application.withPropertyValues("headgate.denial-log.enabled=true", "headgate.denial-log.secret=s3");

    @Test
    void saysNothingUnlessItIsOn(CapturedOutput output) {
        application.run(context -> {
            ask(context, 5, "/orders", "ann-s3cr3t");
            assertThat(context).doesNotHaveBean(DenialLog.class);
        });
        assertThat(lines(output)).isEmpty();
    }

    /** By key and value, with the subject as a hash that is the same for the same subject, and never the subject. */
    @Test
    void saysWhichLimitDeniedForHowLong(CapturedOutput output) {
        logging.run(context -> {
            ask(context, 4, "/orders", "ann-s3cr3t");
            ask(context, 3, "/orders", "bob-s3cr3t");
            ask(context, 1, "/strict", "ann-s3cr3t");
            ask(context, 2, "/shadow", "ann-s3cr3t");
        });
        List<String> lines = lines(output);
        String ann = "outcome=denied rule=\"GET orders\" limit=\"4/min burst 2\" algorithm=token-bucket"
                + " kind=header/x-api-key subject=[0-9a-f]{16} wait=15.000 suppressed=0";
        assertThat(lines).hasSize(5).allMatch(line -> !line.contains("s3cr3t"));
        assertThat(lines.get(0)).matches(ann).isEqualTo(lines.get(1));
        assertThat(lines.get(2)).matches(ann).isNotEqualTo(lines.get(1));
        assertThat(lines.get(3))
                .isEqualTo("outcome=impossible rule=strict limit=2/h algorithm=token-bucket suppressed=0");
        assertThat(lines.get(4))
                .startsWith("outcome=shadow-denied rule=shadow limit=1/h")
                .contains(" kind=ip subject=");
    }

    /** The outcome is that of the metrics. */
    @Test
    void tellsDenialsWithoutTheStoreApart(CapturedOutput output) {
        Decision denied = new Decision.Denied(Limit.parse("1/h"), 0, 1_000_000, 1_000_000, List.of());
        DenialLog log = new DenialLog(time, 10, "s3");
        log.denied("api", denied.asDegraded(), true, () -> null);
        log.denied("api", denied.asDegraded(), false, () -> null);
        assertThat(lines(output))
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("outcome=degraded-denied", "outcome=shadow-denied");
    }

    @Test
    void isBoundedAndSaysHowMuchItLeftOut(CapturedOutput output) {
        logging.withPropertyValues("headgate.denial-log.per-second=3").run(context -> {
            ask(context, 102, "/orders", "ann"); // 100 denials
            time.advance(Duration.ofSeconds(1));
            ask(context, 2, "/orders", "ann");
        });
        assertThat(lines(output)).hasSize(5);
        assertThat(lines(output).get(2)).endsWith(" suppressed=0");
        assertThat(lines(output).get(3)).endsWith(" suppressed=97");
        assertThat(lines(output).get(4)).endsWith(" suppressed=0");
    }

    /** Without a secret that others could know, nobody can test guesses of addresses. */
    @Test
    void hashesDifferentlyAtEachStart(CapturedOutput output) {
        for (int start = 0; start < 2; start++) {
            application
                    .withPropertyValues("headgate.denial-log.enabled=true")
                    .run(context -> ask(context, 3, "/orders", "ann"));
        }
        assertThat(lines(output)).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void needsRoomForALine() {
        logging.withPropertyValues("headgate.denial-log.per-second=0").run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("at least 1 line per second");
        });
    }

    private static List<String> lines(CapturedOutput output) {
        return LINE.matcher(output.getOut())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static void ask(BeanFactory beans, int times, String path, String key) {
        IntStream.range(0, times).forEach(i -> Checks.check(beans, new Request(path, key)));
    }

    private record Request(String path, String key) implements RequestView {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase("X-API-Key") ? List.of(key) : List.of();
        }

        @Override
        public String peerAddress() {
            return "10.0.0.1";
        }

        @Override
        public String principal() {
            return null;
        }

        @Override
        public String route() {
            return null;
        }
    }
}
