package io.headgate.testkit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the durations in the steps of a story: {@code 29s}, {@code 1h30min}, {@code 999ms999us}. */
final class StepDuration {

    private static final Pattern PART = Pattern.compile("(\\d+)(us|ms|s|min|h|d)");

    private StepDuration() {}

    static Duration parse(String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int at = 0;
        while (part.lookingAt()) {
            sum = sum.plus(Long.parseLong(part.group(1)), unit(part.group(2)));
            at = part.end();
            part.region(at, text.length());
        }
        if (at == 0 || at < text.length()) {
            throw new IllegalArgumentException("not a time: '" + text + "'; write 29s, 1h30min or 999ms999us");
        }
        return sum;
    }

    private static ChronoUnit unit(String name) {
        return switch (name) {
            case "us" -> ChronoUnit.MICROS;
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "min" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }
}
