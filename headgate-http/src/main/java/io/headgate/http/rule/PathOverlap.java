package io.headgate.http.rule;

/** Compares the pattern of a rule with the path template of a handler, such as {@code /orders/{id:[0-9]+}} or {@code /files/{*path}}. */
public final class PathOverlap {

    private PathOverlap() {}

    /** Whether there may be a path that both match; it is false only if there is certainly none. */
    public static boolean possible(String pattern, String template) {
        String glob = glob(template.startsWith("/") ? template : "/" + template);
        if (glob.length() >= AntPattern.MAX_LENGTH) {
            return true;
        }
        AntPattern rule = AntPattern.parse(pattern);
        AntPattern handler = AntPattern.parse(glob);
        // A path with a slash at the end is also read without it, but a path without it is never read with it.
        if (!rule.endsLike(false) && !handler.endsLike(true)) {
            return template.endsWith("/*") && overlap(withStar(pattern), handler.segments());
        }
        return overlap(rule.segments(), handler.segments())
                || (glob.endsWith("/") && overlap(rule.segments(), withStar(glob)));
    }

    /** The segments and a star: at the end of a pattern it also matches the empty text after a slash. */
    private static Segment[] withStar(String pattern) {
        return AntPattern.parse(pattern.length() < AntPattern.MAX_LENGTH ? pattern + "*" : pattern)
                .segments();
    }

    /** The template with {@code **} for a variable of several segments and {@code *} for every other; these may hold braces, too. */
    private static String glob(String template) {
        StringBuilder glob = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            if (c == '{' && depth++ == 0) {
                glob.append(template.startsWith("{*", i) ? "**" : "*");
            } else if (c == '}' && depth > 0) {
                depth--;
            } else if (depth == 0 && c != '}') {
                glob.append(c);
            }
        }
        return glob.toString();
    }

    /** Fills a table from the end: {@code row[o]} says whether one's segments from {@code s} on and the other's from {@code o} on overlap. */
    private static boolean overlap(Segment[] one, Segment[] other) {
        boolean[] below = new boolean[other.length + 1];
        for (int s = one.length; s >= 0; s--) {
            boolean[] row = new boolean[other.length + 1];
            for (int o = other.length; o >= 0; o--) {
                boolean any = s < one.length && one[s].anyNumber();
                boolean otherAny = o < other.length && other[o].anyNumber();
                if (any || otherAny) {
                    row[o] = (s < one.length && below[o]) || (o < other.length && row[o + 1]);
                } else if (s == one.length || o == other.length) {
                    row[o] = s == one.length && o == other.length;
                } else {
                    row[o] = below[o + 1] && overlap(one[s], other[o]);
                }
            }
            below = row;
        }
        return below[0];
    }

    private static boolean overlap(Segment one, Segment other) {
        if (one.literal()) {
            return other.matches(one.glob(), 0, one.glob().length());
        }
        if (other.literal()) {
            return one.matches(other.glob(), 0, other.glob().length());
        }
        String head = head(one.glob());
        String otherHead = head(other.glob());
        String tail = tail(one.glob());
        String otherTail = tail(other.glob());
        return (head.startsWith(otherHead) || otherHead.startsWith(head))
                && (tail.endsWith(otherTail) || otherTail.endsWith(tail));
    }

    private static String head(String glob) {
        int end = 0;
        while (glob.charAt(end) != '*' && glob.charAt(end) != '?') {
            end++;
        }
        return glob.substring(0, end);
    }

    private static String tail(String glob) {
        return glob.substring(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1);
    }
}
