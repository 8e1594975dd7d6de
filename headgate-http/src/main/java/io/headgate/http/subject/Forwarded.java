package io.headgate.http.subject;

import org.jspecify.annotations.Nullable;

/** Parses one element of a {@code Forwarded} header (RFC 7239), such as {@code for="[2001:db8::1]:4711";proto=https}. */
final class Forwarded {

    /** The longest element accepted; none that a proxy writes is longer. */
    private static final int LONGEST = 1024;

    private Forwarded() {}

    /** The address in the {@code for} parameter; {@code null} if it is missing, is not an address, or occurs twice. */
    static @Nullable Address address(String line, int from, int to) {
        if (to - from > LONGEST) {
            return null;
        }
        Address address = null;
        boolean found = false;
        int at = from;
        while (at < to) {
            int end = pairEnd(line, at, to);
            int start = at;
            while (start < end && (line.charAt(start) == ' ' || line.charAt(start) == '\t')) {
                start++;
            }
            if (line.regionMatches(true, start, "for=", 0, 4)) {
                if (found) {
                    return null;
                }
                found = true;
                address = start + 4 <= end ? Address.parse(line, start + 4, end) : null;
            }
            at = end + 1;
        }
        return address;
    }

    private static int pairEnd(String line, int from, int to) {
        boolean quoted = false;
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return to;
    }
}
