package io.headgate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to write instead of a text that is not a limit. Suggests only what {@link Limit#parse} reads. */
final class LimitHint {

    static final String EXAMPLES =
            "write a limit such as 100/min, 5 per 30s, 10/s burst 20" + " or 1000 per calendar-day Europe/Berlin";

    /** A misspelt word is replaced only in a text of the length that a limit can have. */
    private static final int LONGEST = 100;

    private static final Pattern FRACTION =
            Pattern.compile("\\s*(\\d{1,9})[.,](\\d{1,6})\\s*(?:/|per)\\s*(\\d{0,9})\\s*([A-Za-z]+)(.*)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z_-]*(/[A-Za-z_]+)*");
    private static final List<String> OTHER_WORDS =
            List.of("per", "burst", "named", "calendar-day", "calendar-week", "calendar-month");

    private LimitHint() {}

    /** The end of the message about a text that is not a limit. */
    static String of(String text) {
        return suggestion(text).map(limit -> "; did you mean '" + limit + "'?").orElse("; " + EXAMPLES);
    }

    private static Optional<String> suggestion(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = text.trim();
        return List.of(
                        plain + "/min",
                        plain.replaceFirst("^-", ""),
                        plain.replaceFirst("^(-?\\d[\\d_]*)\\s*(?:x|a|an|every|in|for|:|,|\\s)\\s*", "$1/"),
                        whole(plain),
                        calendar(plain),
                        plain.replaceFirst("\\s*[,;+(]?\\s*(\\d[\\d_]*)\\)?$", " burst $1"),
                        spelt(plain))
                .stream()
                .filter(LimitHint::isLimit)
                .findFirst();
    }

    private static boolean isLimit(String text) {
        try {
            return new LimitParser(text).parse().permits() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A rate with a fraction as one of whole numbers: {@code 1.5/s} as {@code 3 per 2s}. */
    private static String whole(String text) {
        Matcher rate = FRACTION.matcher(text);
        if (!rate.matches()) {
            return "";
        }
        BigDecimal written = new BigDecimal(rate.group(1) + "." + rate.group(2));
        BigInteger permits = written.unscaledValue();
        BigInteger periods = BigInteger.TEN.pow(written.scale());
        BigInteger shared = permits.gcd(periods);
        BigInteger count = rate.group(3).isEmpty() ? BigInteger.ONE : new BigInteger(rate.group(3));
        BigInteger units = periods.divide(shared).multiply(count);
        return permits.divide(shared) + " per " + (units.equals(BigInteger.ONE) ? "" : units) + rate.group(4)
                + rate.group(5);
    }

    /** A week or a month as one of a calendar, since months differ in length. */
    private static String calendar(String text) {
        return text.replaceFirst(
                "\\s*(?:/|\\bper\\b)\\s*(?:calendar-)?(day|week|month)s?\\b\\s*$", " per calendar-$1 UTC");
    }

    /** The text with each unknown word replaced by the known one that is closest to it. */
    private static String spelt(String text) {
        return WORD.matcher(text).replaceAll(word -> Matcher.quoteReplacement(spelt(word)));
    }

    private static String spelt(MatchResult found) {
        String word = found.group();
        Collection<String> known = word.contains("/") ? ZoneId.getAvailableZoneIds() : Units.words(OTHER_WORDS);
        return known.contains(word) ? word : Spelling.closest(word, known).orElse(word);
    }
}
