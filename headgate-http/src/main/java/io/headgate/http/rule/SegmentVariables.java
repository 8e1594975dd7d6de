package io.headgate.http.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the variables of one segment of a pattern stand for. As in a regular expression of greedy groups, each takes as much as
 * it can, the first one first. A table of what can still be matched replaces the backtracking, so the steps are at most twice the
 * number of pieces times the number of characters.
 */
record SegmentVariables(List<Piece> pieces) {

    private static final Pattern WILD = Pattern.compile("\\{([^}]*)}|\\*+|\\?");

    /** Literal text, or {@code ?} for one character, or {@code *} for any number of them, which may have a name. */
    static class Piece {

        private final String glob;
        private final @Nullable String name;

        Piece(String glob, @Nullable String name) {
            this.glob = glob;
            this.name = name;
        }

        final String glob() {
            return glob;
        }

        final @Nullable String name() {
            return name;
        }

        final boolean many() {
            return glob.equals("*");
        }

        /** The index after its text, or after one character if it is a wildcard; -1 if that does not fit. */
        int after(String text, int at, int to) {
            if (many() || glob.equals("?")) {
                return at < to ? at + Segment.width(text, at, to) : -1;
            }
            return at + glob.length() <= to && text.startsWith(glob, at) ? at + glob.length() : -1;
        }
    }

    static SegmentVariables of(String segment) {
        List<Piece> pieces = new ArrayList<>();
        Matcher wild = WILD.matcher(segment);
        int end = 0;
        for (; wild.find(); end = wild.end()) {
            if (end < wild.start()) {
                pieces.add(new Piece(segment.substring(end, wild.start()), null));
            }
            pieces.add(new Piece(wild.group().equals("?") ? "?" : "*", wild.group(1)));
        }
        if (end < segment.length()) {
            pieces.add(new Piece(segment.substring(end), null));
        }
        return new SegmentVariables(pieces);
    }

    /**
     * What a variable stands for between the two indices; {@code null} if there is no such variable, or if the text does not match.
     *
     * @param matched the path as the pattern matches it: in lower case if case does not matter
     */
    @Nullable
    String value(String path, String matched, int from, int to, String name) {
        if (pieces.stream().noneMatch(piece -> name.equals(piece.name()))) {
            return null;
        }
        boolean[][] matches = matches(matched, from, to);
        if (!matches[0][0]) {
            return null;
        }
        int at = from;
        for (int p = 0; ; p++) {
            Piece piece = pieces.get(p);
            int end =
                    piece.many() ? longest(piece, matches[p + 1], matched, from, at, to) : piece.after(matched, at, to);
            if (name.equals(piece.name())) {
                return path.substring(at, end);
            }
            at = end;
        }
    }

    /** Filled from the end: {@code [p][i]} says whether the pieces from {@code p} on match the text from {@code from + i} on. */
    private boolean[][] matches(String text, int from, int to) {
        boolean[][] matches = new boolean[pieces.size() + 1][to - from + 1];
        matches[pieces.size()][to - from] = true;
        for (int p = pieces.size() - 1; p >= 0; p--) {
            Piece piece = pieces.get(p);
            for (int at = to; at >= from; at--) {
                int after = piece.after(text, at, to);
                boolean[] onwards = matches[piece.many() ? p : p + 1];
                matches[p][at - from] =
                        (after >= 0 && onwards[after - from]) || (piece.many() && matches[p + 1][at - from]);
            }
        }
        return matches;
    }

    /** The last index up to which the piece can go for the pieces after it to match the rest. */
    private static int longest(Piece piece, boolean[] rest, String text, int from, int start, int to) {
        int longest = start;
        for (int at = start; at >= 0; at = piece.after(text, at, to)) {
            if (rest[at - from]) {
                longest = at;
            }
        }
        return longest;
    }
}
