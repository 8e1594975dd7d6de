package io.headgate.http.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An Ant pattern for paths: {@code ?} matches one character, {@code *} and {@code {name}} match within a segment, {@code **}
 * matches any number of segments.
 *
 * <p>It matches exactly what Spring's {@code AntPathMatcher} matches, and {@link #compare} orders patterns exactly as the comparator
 * of {@code AntPathMatcher} does. In particular: several slashes count as one; a trailing slash is significant, except that
 * {@code /a/*} matches {@code /a/} and that {@code **} at the end matches with and without it; {@code /a/**} matches {@code /a}.
 * Regular expressions ({@code {name:...}}) and {@code {*name}} are rejected.
 *
 * <p>Spring's {@code PathPattern}, which finds handlers, differs as follows. It does not treat several slashes as one, and its
 * {@code /a/*}{@code /} does not match {@code /a/}: here a rule matches more than a handler with the same pattern. But it treats
 * the empty text between slashes as a segment, which a wildcard may match: {@code /*}{@code /{x}*}{@code /**} matches {@code /a/}
 * there and not here. And for a character beyond U+FFFF, {@code ?} matches the whole character here and half of it there. On paths
 * without empty segments and without such characters, a rule matches at least the paths that a handler with the same pattern
 * receives.
 */
final class AntPattern {

    /** The greatest length of a pattern. What a pattern costs grows with its length, and no path that is worth a rule is longer. */
    static final int MAX_LENGTH = 1_000;

    private static final Pattern VARIABLE = Pattern.compile("\\{[^/]+?\\}");

    private static final Pattern LAST_IS_STAR = Pattern.compile("/\\*/*$");

    private final String text;
    private final Segment[] segments;
    private final boolean endsWithSlash;
    private final boolean endsWithOptionalStar;

    // The properties that compare() looks at.
    private final boolean catchAll;
    private final boolean prefix;
    private final int doubleWildcards;
    private final int singleWildcards;
    private final int variables;
    private final int length;

    AntPattern(String text, List<Segment> segments) {
        this.text = text;
        this.segments = segments.toArray(Segment[]::new);
        this.endsWithSlash = text.endsWith("/");
        this.endsWithOptionalStar = !segments.contains(Segment.ANY_NUMBER)
                && LAST_IS_STAR.matcher(text).find();
        this.catchAll = text.equals("/**");
        this.prefix = !catchAll && text.endsWith("/**");
        int doubles = 0;
        int singles = 0;
        int names = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '{') {
                names++;
            } else if (text.startsWith("**", i)) {
                doubles++;
                i++;
            } else if (text.charAt(i) == '*' && !text.substring(i - 1).equals(".*")) {
                singles++;
            }
        }
        this.doubleWildcards = doubles;
        this.singleWildcards = singles;
        this.variables = names;
        this.length = VARIABLE.matcher(text).replaceAll("#").length();
    }

    /** @throws IllegalArgumentException if the pattern is invalid; the message says why */
    static AntPattern parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("pattern '" + text.substring(0, 40) + "...' has " + text.length()
                    + " characters; at most " + MAX_LENGTH + " are allowed");
        }
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("pattern '" + text + "' must start with '/'");
        }
        List<Segment> segments = new ArrayList<>();
        for (String part : text.split("/", -1)) {
            if (!part.isEmpty()) {
                segments.add(segment(text, part));
            }
        }
        return new AntPattern(text, segments);
    }

    private static Segment segment(String text, String part) {
        StringBuilder glob = new StringBuilder();
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '{') {
                int end = part.indexOf('}', i);
                if (end < 0) {
                    throw new IllegalArgumentException("pattern '" + text + "' opens a '{' and never closes it");
                }
                String name = part.substring(i + 1, end);
                if (!name.chars().allMatch(each -> Character.isLetterOrDigit(each) || each == '_' || each == '-')
                        || name.isEmpty()) {
                    throw new IllegalArgumentException("pattern '" + text + "' has '{" + name
                            + "}'; only a name may be in braces, and '**' matches any number of segments");
                }
                glob.append('*');
                i = end;
            } else if (c == '}') {
                throw new IllegalArgumentException("pattern '" + text + "' closes a '}' it never opened");
            } else {
                glob.append(c);
            }
        }
        // "**" alone matches any number of segments, but "{a}{b}", which becomes the same glob, matches one
        boolean anyNumber = part.equals("**");
        String one = glob.toString();
        return anyNumber ? Segment.ANY_NUMBER : new Segment(one.equals("**") ? "*" : one);
    }

    String text() {
        return text;
    }

    Segment[] segments() {
        return segments;
    }

    boolean literal() {
        return variables == 0 && text.indexOf('*') < 0 && text.indexOf('?') < 0;
    }

    /**
     * Whether the end of a path fits, given that its segments match.
     *
     * @param slash whether the path ends with a slash
     */
    boolean endsLike(boolean slash) {
        return slash == endsWithSlash || endsWithAnyNumber();
    }

    private boolean endsWithAnyNumber() {
        return segments.length > 0 && segments[segments.length - 1].anyNumber();
    }

    /** Whether the star at the end also matches the empty text after a trailing slash. */
    boolean endsWithOptionalStar() {
        return endsWithOptionalStar;
    }

    boolean matches(String path) {
        return path.startsWith("/") && matches(0, path, Paths.next(path, 0), null);
    }

    /**
     * Where in the path the segments begin that the segments of this pattern match; {@code null} if the path does not match. -1 for
     * {@code **}, and for a star that matches the empty text after a slash.
     */
    int @Nullable [] places(String path) {
        int[] places = new int[segments.length];
        Arrays.fill(places, -1);
        return path.startsWith("/") && matches(0, path, Paths.next(path, 0), places) ? places : null;
    }

    private boolean matches(int s, String path, int from, int @Nullable [] places) {
        int at = from;
        for (int i = s; i < segments.length; i++) {
            if (segments[i].anyNumber()) {
                return matchesLater(i + 1, path, at, places);
            }
            if (at == path.length()) {
                return i == segments.length - 1 && path.endsWith("/") && endsWithOptionalStar();
            }
            int end = Paths.end(path, at);
            if (!segments[i].matches(path, at, end)) {
                return false;
            }
            record(i, at, places);
            at = Paths.next(path, end);
        }
        return at == path.length() && endsLike(path.endsWith("/"));
    }

    /**
     * Matches what follows a {@code **}. The segments up to the next {@code **} are searched from left to right, and the first
     * match is as good as any other; the segments after the last {@code **} must match the end of the path.
     */
    private boolean matchesLater(int s, String path, int from, int @Nullable [] places) {
        int next = s;
        while (next < segments.length && !segments[next].anyNumber()) {
            next++;
        }
        for (int at = from; ; at = Paths.next(path, Paths.end(path, at))) {
            if (next == segments.length) {
                if (next == s || matches(s, path, at, places)) {
                    return true;
                }
            } else {
                int after = block(s, next, path, at, places);
                if (after >= 0) {
                    return matchesLater(next + 1, path, after, places);
                }
            }
            if (at == path.length()) {
                return false;
            }
        }
    }

    /** The index in the path after the segments from {@code s} to {@code end}, if they match at {@code from}; -1 if they do not. */
    private int block(int s, int end, String path, int from, int @Nullable [] places) {
        int at = from;
        for (int i = s; i < end; i++) {
            int to = Paths.end(path, at);
            if (at == path.length() || !segments[i].matches(path, at, to)) {
                return -1;
            }
            record(i, at, places);
            at = Paths.next(path, to);
        }
        return at;
    }

    /** A later attempt to match the same segment replaces its place, and the last attempt is the one that succeeded. */
    private static void record(int segment, int at, int @Nullable [] places) {
        if (places != null) {
            places[segment] = at;
        }
    }

    /** An example of a path that this pattern matches; every pattern that {@link #covers} this one matches it too. */
    String sample() {
        StringBuilder path = new StringBuilder("/");
        for (Segment segment : segments) {
            if (!segment.anyNumber()) {
                path.append(segment.glob().replace('*', 'x').replace('?', 'x')).append('/');
            }
        }
        if (path.length() > 1 && !endsWithSlash) {
            path.setLength(path.length() - 1);
        }
        return path.toString();
    }

    /**
     * Compares the patterns for that path: negative if this one is more specific than the other, positive if it is less. Not a
     * total order.
     */
    int compare(AntPattern other, String path) {
        if (catchAll || other.catchAll) {
            return catchAll == other.catchAll ? 0 : catchAll ? 1 : -1;
        }
        boolean exact = text.equals(path);
        boolean otherExact = other.text.equals(path);
        if (exact || otherExact) {
            return exact == otherExact ? 0 : exact ? -1 : 1;
        }
        if (prefix && other.prefix) {
            return other.length - length;
        }
        if (prefix && other.doubleWildcards == 0) {
            return 1;
        }
        if (other.prefix && doubleWildcards == 0) {
            return -1;
        }
        if (wildcards() != other.wildcards()) {
            return wildcards() - other.wildcards();
        }
        if (length != other.length) {
            return other.length - length;
        }
        return singleWildcards != other.singleWildcards
                ? singleWildcards - other.singleWildcards
                : variables - other.variables;
    }

    private int wildcards() {
        return variables + singleWildcards + 2 * doubleWildcards;
    }

    /** Whether this pattern certainly matches every path that the other one matches. May be false although it does. */
    boolean covers(AntPattern other) {
        int all = other.segments.length;
        boolean ends = endsWithAnyNumber() || (endsWithSlash == other.endsWithSlash && !other.endsWithAnyNumber());
        boolean star = !other.endsWithOptionalStar
                || endsWithOptionalStar
                || (endsWithAnyNumber() && coversFirst(all - 1, other));
        return ends && star && coversFirst(all, other);
    }

    /**
     * Whether the segments cover the first {@code count} segments of the other pattern. Fills a table from the end, one row for each
     * segment: {@code row[o]} says whether the segments from that one on cover those of the other pattern from {@code o} on.
     */
    private boolean coversFirst(int count, AntPattern other) {
        boolean[] row = new boolean[count + 1];
        row[count] = true;
        for (int s = segments.length - 1; s >= 0; s--) {
            boolean[] below = row;
            row = new boolean[count + 1];
            row[count] = segments[s].anyNumber() && below[count];
            for (int o = count - 1; o >= 0; o--) {
                row[o] = segments[s].anyNumber()
                        ? below[o] || row[o + 1]
                        : below[o + 1] && segments[s].covers(other.segments[o]);
            }
        }
        return row[0];
    }

    @Override
    public String toString() {
        return text;
    }
}
