package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LimitTest {

    private static final Limit TEN_A_MINUTE = Limit.of(10).per(Duration.ofMinutes(1));

    @Test
    void readsAsASentence() {
        assertThat(TEN_A_MINUTE)
                .isEqualTo(new Limit(10, Window.of(Duration.ofMinutes(1)), 10, "token-bucket", null))
                .hasToString("10/min token-bucket");
        assertThat(TEN_A_MINUTE.burst(20).named("calls"))
                .isEqualTo(new Limit(10, Window.of(Duration.ofMinutes(1)), 20, "token-bucket", "calls"))
                .hasToString("10/min burst 20 token-bucket named calls");
        assertThat(TEN_A_MINUTE.using("sliding-window").algorithm()).isEqualTo("sliding-window");
        assertThat(TEN_A_MINUTE.periodMicros()).isEqualTo(60_000_000);
    }

    @Test
    void countsACalendarInFixedWindows() {
        Limit daily = Limit.of(1000).perCalendar(Window.Unit.DAY, ZoneId.of("Europe/Berlin"));

        assertThat(daily.algorithm()).isEqualTo("fixed-window");
        assertThat(daily.window()).isEqualTo(Window.of(Window.Unit.DAY, ZoneId.of("Europe/Berlin")));
        assertThat(daily).isEqualTo(Limit.parse("1000 per calendar-day Europe/Berlin"));
    }

    /** Known bug T9. */
    @Test
    void takesZeroForDenyingEverything() {
        Limit none = Limit.of(0).per(Duration.ofSeconds(1));

        assertThat(none.burst()).isZero();
        assertThat(none).isEqualTo(Limit.parse("0/s"));
    }

    /** Known bug T8. */
    @Test
    void holdsTheLargestNumbers() {
        Limit most = Limit.of(Limit.MOST).per(Duration.ofDays(366)).burst(Limit.MOST);

        assertThat(Limit.parse(most.text())).isEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-1;           1; permits must be between 0 and 2147483647, not -1",
                "2147483648;   1; permits must be between 0 and 2147483647, not 2147483648",
                "10;           0; burst must be between 1 and 2147483647 for 10 permits, not 0",
                "10;          -1; burst must be between 1 and 2147483647 for 10 permits, not -1",
                "10;  2147483648; burst must be between 1 and 2147483647 for 10 permits, not 2147483648",
                "0;            1; burst must be between 0 and 0 for 0 permits, not 1",
            })
    void rejectsNumbersOutOfRange(long permits, long burst, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limit(permits, Window.of(Duration.ofSeconds(1)), burst, "token-bucket", null))
                .withMessage(message);
    }

    @Test
    void rejectsPermitsOutOfRangeWhenBuilt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(-1).per(Duration.ofSeconds(1)))
                .withMessage("permits must be between 0 and 2147483647, not -1");
    }

    @Test
    void rejectsBlankWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TEN_A_MINUTE.using(" "))
                .withMessage("a limit needs the id of its algorithm");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TEN_A_MINUTE.named(""))
                .withMessage("a limit's name must not be blank");
    }

    @Test
    void rejectsNothingInPlaceOfAWord() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> TEN_A_MINUTE.using(null))
                .withMessage("algorithm");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> TEN_A_MINUTE.named(null))
                .withMessage("name");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> new Limit(1, null, 1, "token-bucket", null))
                .withMessage("window");
    }

    static Stream<Limit> limits() {
        return Stream.of(
                TEN_A_MINUTE,
                TEN_A_MINUTE.burst(1),
                Limit.of(0).per(Duration.ofMillis(1)),
                Limit.of(1).per(Duration.ofNanos(1_001_000)),
                Limit.of(7).per(Duration.ofMillis(90_500)),
                Limit.of(7).per(Duration.ofSeconds(90)),
                Limit.of(7).per(Duration.ofMinutes(90)),
                Limit.of(7).per(Duration.ofHours(36)),
                Limit.of(7).per(Duration.ofDays(14)),
                Limit.of(7).perCalendar(Window.Unit.WEEK, ZoneId.of("+05:45")),
                Limit.of(7).perCalendar(Window.Unit.MONTH, ZoneId.of("UTC")));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void readsWhatItWrites(Limit limit) {
        assertThat(Limit.parse(limit.text())).isEqualTo(limit);
        assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
    }

    @Test
    void readsWhatItWritesAtRandom() {
        Random random = Seeds.random(getClass());
        for (int round = Seeds.rounds(10_000); round > 0; round--) {
            Limit limit = limit(random);
            assertThat(Limit.parse(limit.toString())).as("%s", limit).isEqualTo(limit);
        }
    }

    private static Limit limit(Random random) {
        long permits = random.nextBoolean() ? random.nextInt(20) : random.nextInt(Integer.MAX_VALUE);
        Limit limit = random.nextInt(3) == 0
                ? Limit.of(permits)
                        .perCalendar(
                                UNITS.get(random.nextInt(UNITS.size())),
                                ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))))
                : Limit.of(permits).per(Duration.ofNanos(1_000_000L + random.nextInt(Integer.MAX_VALUE) * 1_000L));
        limit = permits == 0 || random.nextBoolean() || limit.window() instanceof Window.Calendar
                ? limit
                : limit.burst(1 + random.nextInt(Integer.MAX_VALUE));
        limit = random.nextBoolean() ? limit : limit.using(WORDS.get(random.nextInt(WORDS.size())));
        return random.nextBoolean() ? limit : limit.named(WORDS.get(random.nextInt(WORDS.size())));
    }

    private static final List<Window.Unit> UNITS = List.of(Window.Unit.values());

    private static final List<String> ZONES =
            List.of("Europe/Berlin", "UTC", "Z", "+05:45", "America/New_York", "GMT0");

    private static final List<String> WORDS =
            List.of("sliding-window", "fixed-window", "token-bucket", "quota", "q", "My_own.Algorithm-2", "per", "min");

    @ParameterizedTest
    @CsvSource({
        "60s, 10/min",
        "120s, 10/2min",
        "3600s, 10/h",
        "86400s, 10/day",
        "90s, 10/90s",
        "2592000s, 10/30day",
    })
    void writesTheLargestUnitThatDivides(String period, String text) {
        assertThat(Limit.parse("10 per " + period).text()).isEqualTo(text);
    }
}
