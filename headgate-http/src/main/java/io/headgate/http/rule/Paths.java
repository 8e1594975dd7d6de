package io.headgate.http.rule;

/** Iterates over the segments of a path without creating substrings; several slashes count as one. */
final class Paths {

    private Paths() {}

    /** The index where the next segment begins; the length of the path if there is none. */
    static int next(String path, int from) {
        int at = from;
        while (at < path.length() && path.charAt(at) == '/') {
            at++;
        }
        return at;
    }

    /** The index where the segment that begins at {@code from} ends. */
    static int end(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }
}
