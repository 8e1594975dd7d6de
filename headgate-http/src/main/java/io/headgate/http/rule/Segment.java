package io.headgate.http.rule;

/** One segment of a pattern: literal text, {@code ?} for one character, {@code *} and {@code {name}} for any number of characters. */
class Segment {

    /** Matches any number of segments, including none. */
    static final Segment ANY_NUMBER = new Segment("**");

    private final String glob;

    /** @param glob the segment with every variable written as {@code *} */
    Segment(String glob) {
        this.glob = glob;
    }

    final String glob() {
        return glob;
    }

    boolean anyNumber() {
        return glob.equals("**");
    }

    /** Whether it matches any one segment, however it was written: {@code *}, {@code {name}}, {@code {a}{b}}. */
    boolean any() {
        return !anyNumber() && glob.chars().allMatch(c -> c == '*');
    }

    boolean literal() {
        return glob.indexOf('*') < 0 && glob.indexOf('?') < 0;
    }

    /** Whether it certainly matches every text that the other segment matches. */
    boolean covers(Segment other) {
        return !other.anyNumber()
                && (any() || equals(other) || (other.literal() && matches(other.glob, 0, other.glob.length())));
    }

    /** Whether it matches the part of the path between the two indices. */
    boolean matches(String path, int from, int to) {
        int at = from;
        int g = 0;
        int retryGlob = -1;
        int retryAt = 0;
        while (at < to) {
            char c = g < glob.length() ? glob.charAt(g) : 0;
            if (g < glob.length() && c == '*') {
                retryGlob = ++g;
                retryAt = at;
            } else if (g < glob.length() && c == '?') {
                g++;
                at += width(path, at, to);
            } else if (g < glob.length() && c == path.charAt(at)) {
                g++;
                at++;
            } else if (retryGlob >= 0) {
                g = retryGlob; // backtrack: the last star takes one more character
                retryAt += width(path, retryAt, to);
                at = retryAt;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }

    /** The number of chars of the character at that index: 2 for a surrogate pair. */
    static int width(String path, int at, int to) {
        return at + 1 < to && Character.isSurrogatePair(path.charAt(at), path.charAt(at + 1)) ? 2 : 1;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Segment segment && glob.equals(segment.glob);
    }

    @Override
    public final int hashCode() {
        return glob.hashCode();
    }

    @Override
    public final String toString() {
        return glob;
    }
}
