package io.headgate.http.subject;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An IP address. An IPv4 address is kept as its IPv4-mapped IPv6 address, so that one address has one form however it was written.
 *
 * <p>Parses literals only and never looks up a host name. Accepts what proxies write: a port, brackets, quotes, a zone, blanks
 * around the address; a number with leading zeros is decimal. For any input the parser returns an address or {@code null}, after
 * reading at most {@value #LONGEST} characters.
 */
record Address(long high, long low) {

    /** The longest literal accepted; none is longer, even with brackets, a zone and a port. */
    static final int LONGEST = 128;

    private static final long MAPPED = 0xffff_0000_0000L;

    boolean v4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    static @Nullable Address parse(String text) {
        return parse(text, 0, text.length());
    }

    /** Parses the address between the two indices; {@code null} if there is none. */
    static @Nullable Address parse(String text, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && blank(text.charAt(start))) {
            start++;
        }
        while (start < end && blank(text.charAt(end - 1))) {
            end--;
        }
        if (end - start >= 2 && text.charAt(start) == '"' && text.charAt(end - 1) == '"') {
            start++;
            end--;
        }
        if (end - start < 2 || end - start > LONGEST) {
            return null;
        }
        if (text.charAt(start) == '[') {
            int close = find(text, ']', start, end);
            boolean closed = close >= 0 && (close + 1 == end || port(text, close + 1, end));
            return closed ? v6(text, start + 1, close) : null;
        }
        int colon = find(text, ':', start, end);
        if (colon < 0) {
            return v4(text, start, end);
        }
        if (find(text, ':', colon + 1, end) < 0) {
            return port(text, colon, end) ? v4(text, start, colon) : null;
        }
        return v6(text, start, end);
    }

    /** The index of the character between the two indices; -1 if it is not there. */
    private static int find(String text, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Whether the text is a port: a colon and up to five digits, or an obfuscated port that starts with an underscore. */
    private static boolean port(String text, int from, int to) {
        if (text.charAt(from) != ':' || to - from < 2) {
            return false;
        }
        boolean hidden = text.charAt(from + 1) == '_';
        for (int i = from + 1; i < to; i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (hidden ? c <= ' ' || c >= 127 : !digit) {
                return false;
            }
        }
        return hidden || to - from <= 6;
    }

    private static @Nullable Address v4(String text, int from, int to) {
        long bits = v4Bits(text, from, to, false);
        return bits < 0 ? null : new Address(0, MAPPED | bits);
    }

    /** The dotted quad as 32 bits; -1 if the text is none, or has leading zeros where it must be canonical. */
    private static long v4Bits(String text, int from, int to, boolean canonical) {
        long bits = 0;
        int parts = 0;
        int at = from;
        while (parts < 4) {
            int value = 0;
            int start = at;
            while (at < to && at - start < 3 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
            }
            boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
            if (at == start || value > 255 || (canonical && leadingZero)) {
                return -1;
            }
            bits = (bits << 8) | value;
            parts++;
            if (parts < 4 && (at >= to || text.charAt(at++) != '.')) {
                return -1;
            }
        }
        return at == to ? bits : -1;
    }

    private static @Nullable Address v6(String text, int from, int to) {
        int zone = find(text, '%', from, to);
        int end = zone >= 0 ? zone : to;
        int[] groups = new int[8];
        int count = 0;
        int gap = -1; // how many groups come before the "::"
        int at = from;
        if (text.startsWith("::", at) && at + 2 <= end) {
            gap = 0;
            at += 2;
        }
        while (at < end) {
            int colon = find(text, ':', at, end);
            int next = colon < 0 ? end : colon;
            if (find(text, '.', at, next) >= 0) {
                long bits = next == end && count <= 6 ? v4Bits(text, at, end, false) : -1;
                if (bits < 0) {
                    return null;
                }
                groups[count++] = (int) (bits >>> 16);
                groups[count++] = (int) (bits & 0xffff);
            } else {
                int value = hex(text, at, next);
                if (value < 0 || count == 8) {
                    return null;
                }
                groups[count++] = value;
            }
            at = next + 1;
            if (at == end) {
                return null; // a single colon at the end
            }
            if (at < end && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 ? count != 8 : count > 7) {
            return null;
        }
        if (gap >= 0) {
            int zeros = 8 - count;
            System.arraycopy(groups, gap, groups, gap + zeros, count - gap);
            Arrays.fill(groups, gap, gap + zeros, 0);
        }
        return new Address(half(groups, 0), half(groups, 4));
    }

    private static long half(int[] groups, int first) {
        long bits = 0;
        for (int i = first; i < first + 4; i++) {
            bits = bits << 16 | groups[i];
        }
        return bits;
    }

    private static int hex(String text, int from, int to) {
        if (to == from || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    /**
     * Whether the text is an IPv4 address in its canonical form, in which servers report the peer of a connection. This holds for
     * nearly every request, which then needs no parsing.
     */
    static boolean isPlain(String text) {
        return v4Bits(text, 0, text.length(), true) >= 0;
    }

    /** The canonical text of this address; for IPv6, of the network with that prefix length that contains it. */
    String text(int v6Prefix) {
        StringBuilder text = new StringBuilder(40);
        if (v4()) {
            return text.append((low >>> 24) & 255)
                    .append('.')
                    .append((low >>> 16) & 255)
                    .append('.')
                    .append((low >>> 8) & 255)
                    .append('.')
                    .append(low & 255)
                    .toString();
        }
        Cidr network = new Cidr(this, v6Prefix);
        int groups = (v6Prefix + 15) / 16;
        for (int i = 0; i < groups; i++) {
            Address first = network.first();
            long half = i < 4 ? first.high : first.low;
            text.append(i == 0 ? "" : ":").append(Long.toHexString((half >>> (48 - 16 * (i & 3))) & 0xffff));
        }
        return text.append(groups == 8 ? "/" : "::/").append(v6Prefix).toString();
    }
}
