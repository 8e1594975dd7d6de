package io.headgate.http.rule;

/** Steps through the segments of a path without cutting it up; several slashes count as one. */
final class Paths {

    private Paths() {}

    /** Where the next segment begins; the length of the path if there is none. */
    static int next(String path, int from) {
        int at = from;
        while (at < path.length() && path.charAt(at) == '/') {
            at++;
        }
        return at;
    }

    /** Where the segment that begins here ends. */
    static int end(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }
}
