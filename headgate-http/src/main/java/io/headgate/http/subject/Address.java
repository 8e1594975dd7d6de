package io.headgate.http.subject;

import org.jspecify.annotations.Nullable;

/**
 * An internet address. IPv4 is kept as the IPv6 it maps to, so one address has one form however it was written.
 *
 * <p>Read from literals and nothing else: no name is ever looked up. Accepts what proxies write: a port, brackets, quotes, a
 * zone, blanks around; leading zeros are decimal. Whatever it is given it answers an address or {@code null}, after at most
 * {@value #LONGEST} characters.
 */
record Address(long high, long low) {

    /** No literal is longer, with brackets, a zone and a port. */
    static final int LONGEST = 128;

    private static final long MAPPED = 0xffff_0000_0000L;

    boolean v4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    static @Nullable Address parse(String text) {
        return parse(text, 0, text.length());
    }

    /** The address between the two places. */
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

    /** Where the character is, looking no further than the end; -1 if nowhere. */
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

    /** A colon and up to five digits; proxies may hide the port behind an underscore and letters. */
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
        long bits = v4Bits(text, from, to);
        return bits < 0 ? null : new Address(0, MAPPED | bits);
    }

    /** Four numbers between dots as 32 bits; -1 if that is not what it is. */
    private static long v4Bits(String text, int from, int to) {
        long bits = 0;
        int parts = 0;
        int at = from;
        while (parts < 4) {
            int value = 0;
            int start = at;
            while (at < to && at - start < 3 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
            }
            if (at == start || value > 255) {
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
        long high = 0;
        long low = 0;
        int groups = 0;
        int gap = -1;
        int at = from;
        if (text.startsWith("::", at) && at + 2 <= end) {
            gap = 0;
            at += 2;
        }
        while (at < end) {
            int colon = find(text, ':', at, end);
            int next = colon < 0 ? end : colon;
            int value;
            if (find(text, '.', at, next) >= 0) {
                long bits = next == end && groups <= 6 ? v4Bits(text, at, end) : -1;
                if (bits < 0) {
                    return null;
                }
                high = (high << 16) | (low >>> 48);
                low = (low << 16) | (bits >>> 16);
                groups++;
                value = (int) (bits & 0xffff);
            } else {
                value = hex(text, at, next);
            }
            if (value < 0 || groups == 8) {
                return null;
            }
            high = (high << 16) | (low >>> 48);
            low = (low << 16) | value;
            groups++;
            at = next;
            if (at < end) {
                at++; // the colon
                if (at < end && text.charAt(at) == ':') {
                    if (gap >= 0) {
                        return null;
                    }
                    gap = groups;
                    at++;
                } else if (at == end) {
                    return null;
                }
            }
        }
        if (gap < 0) {
            return groups == 8 ? new Address(high, low) : null;
        }
        return groups > 7 ? null : open(high, low, groups - gap, 8 - groups);
    }

    /** The groups with so many zeros put in before the last ones. */
    private static Address open(long high, long low, int after, int zeros) {
        long[] groups = new long[8];
        for (int i = 0; i < 8; i++) { // from the right, where the last one is
            int source = i < after ? i : i - zeros;
            boolean zero = i >= after && i < after + zeros;
            groups[i] = zero ? 0 : (source < 4 ? low >>> (16 * source) : high >>> (16 * (source - 4))) & 0xffff;
        }
        return new Address(
                (groups[7] << 48) | (groups[6] << 32) | (groups[5] << 16) | groups[4],
                (groups[3] << 48) | (groups[2] << 32) | (groups[1] << 16) | groups[0]);
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

    /** Whether that is IPv4 in its one text, as servers tell the other end of a connection: nearly every request. */
    static boolean isPlain(String text) {
        int at = 0;
        for (int part = 0; part < 4; part++) {
            int start = at;
            int value = 0;
            while (at < text.length() && at - start < 3 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
            }
            boolean number = at > start && value <= 255 && (text.charAt(start) != '0' || at - start == 1);
            if (!number || (part < 3 && (at == text.length() || text.charAt(at++) != '.'))) {
                return false;
            }
        }
        return at == text.length();
    }

    /** The one text of this address, IPv6 as the network of so many bits that it is in. */
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
