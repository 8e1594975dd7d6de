package io.headgate.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerReaderTest {

    private static final Instant NOW = Instant.parse("2026-03-02T09:41:27Z");
    private static final long SECOND = 1_000_000;

    private final AnswerReader reader =
            new AnswerReader("payments", Duration.ofHours(1).toSeconds() * SECOND, new ManualTime(NOW));

    private List<ToldBudget> read(int status, String... namesAndValues) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return reader.read(status, headers::get);
    }

    private static ToldBudget told(String policy, long remaining, long quota, long seconds) {
        return new ToldBudget(policy, remaining, quota, seconds * SECOND);
    }

    private static ToldBudget notBefore(long seconds) {
        return told(ToldBudget.WAIT, 0, -1, seconds);
    }

    @Test
    void anAnswerWithoutAnyOfItSaysNothing() {
        assertThat(read(200, "Content-Type", "text/plain")).isEmpty();
        assertThat(read(200, "Retry-After", "7")).isEmpty();
        assertThat(read(503)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        429 | 7                             | 7
        503 | 7                             | 7
        429 | 0                             | 0
        429 | 1.5                           | 1.5
        429 | Mon, 02 Mar 2026 09:41:37 GMT | 10
        429 | Mon, 02 Mar 2026 09:41:17 GMT | 0
        429 | 3600                          | 3600
        429 | 3601                          | 3600
        429 | 99999999                      | 3600
        429 | 999999999999999999            | 3600
        429 | Thu, 02 Mar 2028 09:41:27 GMT | 3600
        429 | -5                            | 1
        429 | soon                          | 1
        429 | Mon, 99 Mar 2026 09:41:37 GMT | 1
        429 | 9999999999999999999999999999  | 3600
        """)
    void retryAfter(int status, String written, double seconds) {
        assertThat(read(status, "Retry-After", written))
                .containsExactly(new ToldBudget(ToldBudget.WAIT, 0, -1, (long) (seconds * SECOND)));
    }

    @Test
    void a429WithoutATimeCountsAsOneSecond() {
        assertThat(read(429)).containsExactly(notBefore(1));
        assertThat(read(503, "Retry-After", "-1")).isEmpty();
    }

    @Test
    void aDateIsComparedWithTheDateOfTheServer() {
        assertThat(read(429, "Retry-After", "Mon, 02 Mar 2026 12:00:30 GMT", "Date", "Mon, 02 Mar 2026 12:00:00 GMT"))
                .containsExactly(notBefore(30));
    }

    @Test
    void rateLimitOfDraft11() {
        assertThat(read(
                        200,
                        "RateLimit-Policy",
                        "\"burst\";q=100;w=60, \"daily, all\";q=1000;w=86400;pk=:cGs=:",
                        "RateLimit",
                        "\"burst\";r=42;t=17, \"daily, all\";r=900;t=1000"))
                .containsExactly(told("burst", 42, 100, 17), told("daily, all", 900, 1000, 1000));
    }

    @Test
    void aMissingTimeIsTheWindowOfThePolicy() {
        assertThat(read(200, "RateLimit-Policy", "\"a\";q=5;w=60", "RateLimit", "\"a\";r=0, \"b\";r=0"))
                .containsExactly(told("a", 0, 5, 60), told("b", 0, -1, 1));
    }

    @Test
    void rateLimitOfDraft7() {
        assertThat(read(200, "RateLimit-Policy", "100;w=60", "RateLimit", "limit=100, remaining=50, reset=5"))
                .containsExactly(told("RateLimit: ", 50, 100, 5));
    }

    @Test
    void rateLimitOfDraft0To6() {
        assertThat(read(
                        200,
                        "RateLimit-Limit",
                        "100, 100;w=60",
                        "RateLimit-Remaining",
                        "50",
                        "RateLimit-Reset",
                        "5",
                        "X-RateLimit-Remaining",
                        "1"))
                .containsExactly(told("RateLimit-", 50, 100, 5));
    }

    @Test
    void xRateLimitWithSecondsOrAPointInTime() {
        for (String reset : List.of(
                "17",
                String.valueOf(NOW.getEpochSecond() + 17),
                String.valueOf(NOW.toEpochMilli() + 17_000),
                (NOW.getEpochSecond() + 17) + ".000")) {
            assertThat(read(200, "x-ratelimit-limit", "60", "x-ratelimit-remaining", "0", "x-ratelimit-reset", reset))
                    .as(reset)
                    .containsExactly(told("X-RateLimit-", 0, 60, 17));
        }
    }

    @Test
    void aPointInTimeIsComparedWithTheDateOfTheServer() {
        Instant there = NOW.plusSeconds(86_400);
        assertThat(read(
                        200,
                        "X-RateLimit-Remaining",
                        "0",
                        "X-RateLimit-Reset",
                        String.valueOf(there.getEpochSecond() + 9),
                        "Date",
                        DateTimeFormatter.RFC_1123_DATE_TIME
                                .withLocale(Locale.ROOT)
                                .format(there.atZone(ZoneOffset.UTC))))
                .containsExactly(told("X-RateLimit-", 0, -1, 9));
    }

    @Test
    void aBudgetThatIsUsedUpSaysHowLongA429Lasts() {
        assertThat(read(429, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "20"))
                .containsExactly(told("X-RateLimit-", 0, -1, 20));
    }

    @Test
    void badNumbersAreCappedOrIgnored() {
        assertThat(read(200, "RateLimit", "\"a\";r=-3;t=99999999, \"b\";r=many;t=1, \"c\", d"))
                .containsExactly(told("a", 0, -1, 3600));
        assertThat(read(200, "X-RateLimit-Remaining", "lots")).isEmpty();
        assertThat(read(200, "X-RateLimit-Remaining", "1", "X-RateLimit-Reset", "-1"))
                .containsExactly(told("X-RateLimit-", 1, -1, 1));
    }

    @Test
    void manyPoliciesAreNotRead() {
        assertThat(read(200, "RateLimit", "\"a\";r=1;t=1,".repeat(500))).isEmpty();
        assertThat(read(200, "RateLimit", "\"a\";r=1;t=1,".repeat(50))).hasSize(8);
    }

    @Test
    void whateverAServerSendsIsRead() {
        long seed = Long.getLong("headgate.seed", new Random().nextLong());
        System.out.println("-Dheadgate.seed=" + seed);
        Random random = new Random(seed);
        String alphabet = "\"\\;,=:rtqw019- .{}'" + (char) 0 + "\u00e9";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder value = new StringBuilder(random.nextBoolean() ? "\"a\";r=" : "");
            for (int n = random.nextInt(30); n > 0; n--) {
                value.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String any = value.toString();
            assertThat(reader.read(429, name -> any)).as(any).allSatisfy(told -> {
                assertThat(told.remaining()).isNotNegative();
                assertThat(told.resetMicros()).isBetween(0L, 3600 * SECOND);
            });
        }
    }

    @Test
    void logsTheFirstBadValueOfEachHeader() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(OutgoingLimiter.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 3; i++) {
                read(429, "Retry-After", "so\non" + i);
                read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "9999999");
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged).hasSize(2);
        assertThat(logged.get(0)).contains("client 'payments'", "Retry-After: so?on0", "is ignored");
        assertThat(logged.get(1)).contains("X-RateLimit-Reset: 9999999", "counts as 3600 s");
    }
}
