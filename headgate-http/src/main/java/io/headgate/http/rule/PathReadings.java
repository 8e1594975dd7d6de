package io.headgate.http.rule;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The other ways to read a path. Whatever serves files takes a path apart once more after the rules have been matched, and each kind
 * does so in its own way: it removes dot segments, decodes what is still encoded, takes a backslash for a slash, or ignores a slash
 * at the end. A request has to pass the rules of every reading, so no spelling leads around a rule.
 */
final class PathReadings {

    private static final char DELETE = 127;

    private PathReadings() {}

    /** Whether there is only one way to read the path, as for nearly every request: a single look at each character. */
    static boolean isPlain(String path) {
        int last = path.length() - 1;
        char before = 0;
        for (int i = 0; i <= last; i++) {
            char c = path.charAt(i);
            if (c < '0' ? (c == '.' ? before == '/' : c == '%' || c <= ' ') : c == '\\' || c == DELETE) {
                return false;
            }
            before = c;
        }
        return before != '/' || last == 0;
    }

    /** The readings other than the path itself, each absolute and without a slash at the end; none if all are like the path. */
    static List<String> others(String path) {
        String decoded = decoded(path.replace('\\', '/').replaceAll("//+", "/"));
        List<String> others = new ArrayList<>(2);
        add(others, path, resolved(decoded, false));
        if (decoded.contains("//") && decoded.contains("..")) {
            // ".." after "//" removes a segment for a file system, and nothing but a slash for a URL
            add(others, path, resolved(decoded, true));
        }
        return others;
    }

    private static void add(List<String> others, String path, String reading) {
        if (!reading.equals(path) && !others.contains(reading)) {
            others.add(reading);
        }
    }

    /** Decodes until nothing is left to decode. Each byte is looked at once, however often it was encoded. */
    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (byte each : bytes) {
            bytes[length++] = each;
            while (length >= 3 && bytes[length - 3] == '%') {
                int high = Character.digit(bytes[length - 2], 16);
                int low = Character.digit(bytes[length - 1], 16);
                if (high < 0 || low < 0) {
                    break;
                }
                length -= 2;
                bytes[length - 1] = (byte) (high << 4 | low);
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8).replace('\\', '/');
    }

    /** Removes dot segments, and blanks and control characters around segments. */
    private static String resolved(String path, boolean emptyCounts) {
        List<String> segments = new ArrayList<>();
        for (String part : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
            String segment = trimmed(part);
            if (segment.equals("..")) {
                if (!segments.isEmpty()) {
                    segments.remove(segments.size() - 1);
                }
            } else if (!segment.equals(".") && (emptyCounts || !segment.isEmpty())) {
                segments.add(segment);
            }
        }
        segments.removeIf(String::isEmpty);
        return "/" + String.join("/", segments);
    }

    private static String trimmed(String segment) {
        int from = 0;
        int to = segment.length();
        while (from < to && blank(segment.charAt(from))) {
            from++;
        }
        while (from < to && blank(segment.charAt(to - 1))) {
            to--;
        }
        return segment.substring(from, to);
    }

    private static boolean blank(char c) {
        return c <= ' ' || c == DELETE;
    }
}
