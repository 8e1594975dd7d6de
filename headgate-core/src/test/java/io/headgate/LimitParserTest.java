package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitParserTest {

    @ParameterizedTest
    @CsvSource({
        "10/s burst 20,        10,    1s,     20",
        "100/min,              100,   1m,     100",
        "1000/h,               1000,  1h,     1000",
        "5 per 30s,            5,     30s,    5",
        "20000/day,            20000, 24h,    20000",
        "10/1s,                10,    1s,     10",
        "10 per second,        10,    1s,     10",
        "10 / 5 minutes,       10,    5m,     10",
        "10 per 2 hours,       10,    2h,     10",
        "1_000_000/d,          1000000, 24h,  1000000",
        "3/250ms burst 1,      3,     0.25s,  1",
        "3/1500us,             3,     0.0015s, 3",
        "'  3  /  m  burst  9  ', 3,  1m,     9",
        "007/s,                7,     1s,     7",
        "0/s,                  0,     1s,     0",
        "2147483647/366days,   2147483647, 8784h, 2147483647",
    })
    void readsWhatPeopleWrite(String text, long permits, String period, long burst) {
        assertThat(Limit.parse(text))
                .isEqualTo(Limit.of(permits).per(Duration.parse("PT" + period)).burst(burst));
    }

    @ParameterizedTest
    @CsvSource({
        "1000 per calendar-day Europe/Berlin,      DAY,   Europe/Berlin",
        "1000/calendar-week America/New_York,      WEEK,  America/New_York",
        "'1000 per  calendar-month   +05:45 ',     MONTH, +05:45",
    })
    void readsCalendars(String text, Window.Unit unit, String zone) {
        assertThat(Limit.parse(text)).isEqualTo(Limit.of(1000).perCalendar(unit, ZoneId.of(zone)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "``;                       1; a whole number of permits; the end",
                "`   `;                    4; a whole number of permits; the end",
                "ten/s;                    1; a whole number of permits; 'ten/s'",
                "-5/s;                     1; a whole number of permits; '-5/s'",
                "_5/s;                     1; a whole number of permits; '_5/s'",
                "١٠/s;                     1; a whole number of permits; '١٠/s'",
                "2147483648/s;             1; at most 2147483647 permits; '2147483648/s'",
                "99999999999999999999999/s; 1; at most 2147483647 permits; '99999999999999999999999/s'",
                "10;                       3; '/' or 'per'; the end",
                "10 s;                     4; '/' or 'per'; 's'",
                "1.5/s;                    2; '/' or 'per'; '.5/s'",
                "10/;                      4; a unit of time (ms, s, min, h, day); the end",
                "10/fortnight;             4; a unit of time (ms, s, min, h, day); 'fortnight'",
                "10/S;                     4; a unit of time (ms, s, min, h, day); 'S'",
                "10 per 5;                 9; a unit of time (ms, s, min, h, day); the end",
                "10/-5s;                   4; a unit of time (ms, s, min, h, day); '-5s'",
                "10/0s;                    4; a period between 1 ms and 366 days; '0s'",
                "10/999us;                 4; a period between 1 ms and 366 days; '999us'",
                "10/367days;               4; a period between 1 ms and 366 days; '367days'",
                "10/99999999999999999999h; 4; a period between 1 ms and 366 days; '99999999999999999999h'",
                "10/s 20;                  6; 'burst', an algorithm, 'named' or the end; '20'",
                "10/s burst;              11; a burst; the end",
                "10/s burst -1;           12; a burst; '-1'",
                "10/s burst 0;            12; a burst between 1 and 2147483647; '0'",
                "10/s burst 2147483648;   12; a burst between 1 and 2147483647; '2147483648'",
                "0/s burst 5;             11; no burst on a limit of 0; '5'",
                "10/s burst 20 7;         15; an algorithm, 'named' or the end; '7'",
                "10/s brust 20;            6; 'burst', an algorithm, 'named' or the end; 'brust 20'",
                "10/s burst 20 nmaed x;   15; an algorithm, 'named' or the end; 'nmaed x'",
                "10/s sliding-window, 5;   6; 'burst', an algorithm, 'named' or the end; 'sliding-window, 5'",
                "10/s sliding-window burst 5; 21; 'named' or the end, since a burst comes before the algorithm; 'burst 5'",
                "10/s named a quota;      14; the end; 'quota'",
                "10/s named;              11; a name: a letter, and then letters, digits, '-', '_' and '.'; the end",
                "10/s named 7;            12; a name: a letter, and then letters, digits, '-', '_' and '.'; '7'",
                "10/s burst 9named x;     13; an algorithm, 'named' or the end; 'named x'",
                "10/s burst 9quota;       13; an algorithm, 'named' or the end; 'quota'",
                "10/s namedx;             11; a name: a letter, and then letters, digits, '-', '_' and '.'; 'x'",
                "10/s named a b;          14; the end; 'b'",
                "10/s named a burst 5;    14; the end; 'burst 5'",
                "10 per calendar-year UTC; 17; day, week or month; 'year UTC'",
                "10 per calendar-;        17; day, week or month; the end",
                "10 per calendar-day;     20; a time zone such as Europe/Berlin; the end",
                "10 per calendar-day Mars/Olympus; 21; a time zone such as Europe/Berlin; 'Mars/Olympus'",
                "10 per calendar-day UTC burst 5;  31; no burst on a calendar window; '5'",
            })
    void saysWhereAndWhatWasExpected(String text, int column, String expected, String found) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse(text))
                .withMessageStartingWith("limit '" + text + "', column " + column + ": expected " + expected
                        + ", found " + found + "; ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10                   | did you mean '10/min'?",
                "-5/min               | did you mean '5/min'?",
                "1.5/s                | did you mean '3 per 2s'?",
                "0.25/min burst 3     | did you mean '1 per 4min burst 3'?",
                "2.0/10s              | did you mean '2 per 10s'?",
                "10 s                 | did you mean '10/s'?",
                "10 requests/min      | write a limit such as 100/min, 5 per 30s, 10/s burst 20"
                        + " or 1000 per calendar-day Europe/Berlin",
                "10/S                 | did you mean '10/s'?",
                "10/mn                | did you mean '10/min'?",
                "10 pre minute        | did you mean '10 per minute'?",
                "10/month             | did you mean '10 per calendar-month UTC'?",
                "10/week              | did you mean '10 per calendar-week UTC'?",
                "10 per calendar-day  | did you mean '10 per calendar-day UTC'?",
                "10/min brust 20      | did you mean '10/min burst 20'?",
                "10/min 20            | did you mean '10/min burst 20'?",
                "10/min Burst 20 namd a | did you mean '10/min burst 20 named a'?",
                "10 per calendar-dya Europe/Berlni | did you mean '10 per calendar-day Europe/Berlin'?",
                "10/fortnight         | write a limit such as 100/min",
                "${LIMIT}             | write a limit such as 100/min",
                "0                    | write a limit such as 100/min",
            })
    void saysWhatToWriteInstead(String text, String remedy) {
        assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text)).withMessageContaining("; " + remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "10/s named spikes,                             10/s,                           spikes",
        "10/s burst 20  named  a-1_b.C ,                10/s burst 20,                  a-1_b.C",
        "5 per calendar-day Europe/Berlin named daily,  5 per calendar-day Europe/Berlin, daily"
    })
    void readsWhatALimitIsCalled(String text, String unnamed, String name) {
        assertThat(Limit.parse(text)).isEqualTo(Limit.parse(unnamed).named(name));
    }

    @ParameterizedTest
    @CsvSource({
        "5/min sliding-window,                          5/min,                            sliding-window",
        "10/s burst 20 token-bucket,                    10/s burst 20,                    token-bucket",
        "10/s  burst 20  my_own.Algorithm-2  named a,   10/s burst 20 named a,            my_own.Algorithm-2",
        "10 per 5 minutes leaky-bucket named a,         10 per 5 minutes named a,         leaky-bucket",
        "2 per calendar-day Europe/Berlin fixed-window, 2 per calendar-day Europe/Berlin, fixed-window",
    })
    void readsTheAlgorithmOfALimit(String text, String without, String algorithm) {
        assertThat(Limit.parse(text)).isEqualTo(Limit.parse(without).using(algorithm));
    }

    /** What a limit says comes first, then what its rule says, then what the application says. */
    @ParameterizedTest
    @CsvSource({
        "5/min,                              ,             sliding-window, sliding-window",
        "5/min,                              leaky-bucket, sliding-window, leaky-bucket",
        "5/min quota,                        leaky-bucket, sliding-window, quota",
        "5/min quota,                        ,             sliding-window, quota",
        "5/min burst 9,                      ,             sliding-window, token-bucket",
        "5/min burst 9,                      quota,        sliding-window, quota",
        "5 per calendar-day UTC,             ,             sliding-window, fixed-window",
        "5 per calendar-day UTC,             quota,        sliding-window, quota",
        "5 per calendar-day UTC named a,     ,             sliding-window, fixed-window",
        "5/min named a,                      ,             sliding-window, sliding-window",
    })
    void takesTheAlgorithmThatIsSaidClosestToTheLimit(String text, String rules, String usual, String algorithm) {
        assertThat(Limit.parse(text, rules, usual).algorithm()).isEqualTo(algorithm);
    }

    @Test
    void rejectsNoTextAtAll() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> Limit.parse(null))
                .withMessage("text");
    }

    private static final String[] PIECES = {
        "10",
        "0",
        "7_000",
        "2147483647",
        "99999999999",
        "/",
        "per",
        " ",
        "  ",
        "s",
        "min",
        "days",
        "us",
        "burst",
        "named",
        "sliding-window",
        "calendar-",
        "day",
        "week",
        "Europe/Berlin",
        "+05:45",
        "Z",
        "UTC",
        "GMT0",
        "-",
        "_",
        ".",
        "\t",
        "\n",
        "é",
        "\uD83D\uDE00",
        "\uD83D",
        "\0"
    };

    /** Whatever is written, it is a limit that reads back as itself, or it is rejected with the column. */
    @Test
    void neverFailsInAnyOtherWay() {
        Random random = Seeds.random(getClass());
        int accepted = 0;
        for (int round = Seeds.rounds(10_000); round > 0; round--) {
            String text = random.nextInt(4) == 0 ? noise(random) : composed(random);
            Throwable failure = catchThrowable(
                    () -> assertThat(Limit.parse(Limit.parse(text).toString())).isEqualTo(Limit.parse(text)));
            if (failure == null) {
                accepted++;
            } else {
                assertThat(failure)
                        .as(text)
                        .isExactlyInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("limit '" + text + "', column ");
            }
        }
        assertThat(accepted).isGreaterThan(20);
    }

    private static String composed(Random random) {
        StringBuilder text = new StringBuilder();
        text.append(random.nextInt(1000)).append(random.nextBoolean() ? "/" : " per ");
        for (int pieces = random.nextInt(6); pieces >= 0; pieces--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static String noise(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(12); length > 0; length--) {
            text.append((char) (random.nextInt(5) == 0 ? random.nextInt(0x10000) : 32 + random.nextInt(95)));
        }
        return text.toString();
    }
}
