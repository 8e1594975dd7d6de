package io.headgate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text form of a limit.
 *
 * <pre>
 * limit  = count ("/" | "per") window ["burst" count] [algorithm] ["named" name]
 * window = [count] unit  |  "calendar-" ("day" | "week" | "month") zone
 * algorithm, name = a letter, and then letters, digits, "-", "_" and "."
 * </pre>
 *
 * <p>Every word but {@code burst} and {@code named} may be an algorithm. Which algorithms there are, only the store knows.
 */
final class LimitParser {

    private static final String UNITS = "a unit of time (ms, s, min, h, day)";

    private final String text;
    private final @Nullable String algorithm;
    private final String usual;
    private int at;

    LimitParser(String text) {
        this(text, null, Limit.DEFAULT_ALGORITHM);
    }

    /**
     * @param algorithm the algorithm of a text that names none; {@code null} if there is no such algorithm
     * @param usual the algorithm of a text that leaves the choice open, if {@code algorithm} is {@code null}
     */
    LimitParser(String text, @Nullable String algorithm, String usual) {
        this.text = Objects.requireNonNull(text, "text");
        this.algorithm = algorithm;
        this.usual = Objects.requireNonNull(usual, "usual");
    }

    Limit parse() {
        int start = skipBlanks();
        long permits = count("a whole number of permits");
        require(permits <= Limit.MOST, start, "at most " + Limit.MOST + " permits");
        skipBlanks();
        if (!accept("/")) {
            require(accept("per"), at, "'/' or 'per'");
        }
        skipBlanks();
        Limit limit = Limit.of(permits).per(accept("calendar-") ? calendar() : span());
        skipBlanks();
        String next = "'burst', an algorithm, 'named' or the end";
        boolean open = limit.window() instanceof Window.Span;
        if (accept("burst")) {
            int burstAt = skipBlanks();
            long burst = count("a burst");
            require(limit.algorithm().equals(Limit.DEFAULT_ALGORITHM), burstAt, "no burst on a calendar window");
            require(permits > 0, burstAt, "no burst on a limit of 0");
            require(burst >= 1 && burst <= Limit.MOST, burstAt, "a burst between 1 and " + Limit.MOST);
            limit = limit.burst(burst);
            open = false;
            next = "an algorithm, 'named' or the end";
            skipBlanks();
        }
        int wordAt = at;
        String own = algorithm();
        if (own != null || algorithm != null || open) {
            limit = limit.using(own != null ? own : algorithm != null ? algorithm : usual);
        }
        skipBlanks();
        if (afterBlank() && accept("named")) {
            limit = limit.named(name());
            wordAt = skipBlanks();
            next = "the end";
        } else if (own != null && text.startsWith("burst", at)) {
            throw expected(at, "'named' or the end, since a burst comes before the algorithm", null);
        }
        require(at == text.length(), wordAt, next); // a word with more behind it is hardly an algorithm
        return limit;
    }

    private @Nullable String algorithm() {
        if (!afterBlank() || text.startsWith("named", at) || at == text.length() || !isLetter(text.charAt(at))) {
            return null;
        }
        return identifier();
    }

    private boolean afterBlank() {
        return text.charAt(at - 1) == ' ';
    }

    private Window span() {
        int start = at;
        long count = at < text.length() && isDigit(text.charAt(at)) ? count("a period") : 1;
        skipBlanks();
        int unitAt = at;
        Long unit = Units.micros(word());
        if (unit == null) {
            throw expected(unitAt, UNITS, null);
        }
        boolean fits = count <= Window.Span.LONGEST.toMillis() * 1_000 / unit && count * unit >= 1_000;
        require(fits, start, "a period between 1 ms and 366 days");
        return new Window.Span(count * unit);
    }

    private Window calendar() {
        int unitAt = at;
        String unit = word();
        require(unit.equals("day") || unit.equals("week") || unit.equals("month"), unitAt, "day, week or month");
        int zoneAt = skipBlanks();
        while (at < text.length() && text.charAt(at) != ' ') {
            at++;
        }
        try {
            return Window.Calendar.parse(unit, text.substring(zoneAt, at));
        } catch (IllegalArgumentException e) {
            throw expected(zoneAt, "a time zone such as Europe/Berlin", e);
        }
    }

    private long count(String what) {
        int start = at;
        long value = 0;
        while (at < text.length() && (isDigit(text.charAt(at)) || (text.charAt(at) == '_' && at > start))) {
            char c = text.charAt(at++);
            if (c != '_') {
                value = Math.min(value * 10 + (c - '0'), Long.MAX_VALUE / 100);
            }
        }
        require(at > start, start, what);
        return value;
    }

    private String name() {
        int before = at;
        int start = skipBlanks();
        boolean letter = start > before && start < text.length() && isLetter(text.charAt(start));
        require(letter, start, "a name: a letter, and then letters, digits, '-', '_' and '.'");
        return identifier();
    }

    private String identifier() {
        int start = at;
        while (at < text.length() && isOfName(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private String word() {
        int start = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean accept(String token) {
        boolean found = text.startsWith(token, at);
        if (found) {
            at += token.length();
        }
        return found;
    }

    private int skipBlanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isOfName(char c) {
        return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.';
    }

    private void require(boolean condition, int where, String what) {
        if (!condition) {
            throw expected(where, what, null);
        }
    }

    private IllegalArgumentException expected(int where, String what, @Nullable Throwable cause) {
        String found = where < text.length() ? "'" + text.substring(where) + "'" : "the end";
        return new IllegalArgumentException(
                "limit '" + text + "', column " + (where + 1) + ": expected " + what + ", found " + found, cause);
    }
}
