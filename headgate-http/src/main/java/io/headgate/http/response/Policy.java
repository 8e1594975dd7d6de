package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.Window;
import java.math.BigInteger;

/**
 * The text about a limit that does not depend on its state.
 *
 * @param name the name of the limit in headers and bodies: that of its rule, followed by a colon and the limit if the rule has
 *     several
 * @param opening the beginning of the item in the {@code RateLimit} header, up to the remaining permits: {@code "api";r=}
 * @param most the most permits that can remain, in digits: the burst of the limit, so that limit and remaining have one scale
 * @param text the item in the {@code RateLimit-Policy} header, with the most permits and the seconds in which so many come back:
 *     {@code "api";q=100;w=60}. Calendar days, weeks and months have no {@code w}, since their length varies
 */
record Policy(Limit limit, String name, String opening, String most, String text) {

    private static final BigInteger LARGEST = BigInteger.valueOf(999_999_999_999_999L);

    static Policy of(String rule, Limit limit, boolean only) {
        String name = only ? rule : rule + ":" + (limit.name() != null ? limit.name() : limit.text());
        String item = item(name);
        String most = Long.toString(limit.burst());
        String width = limit.window() instanceof Window.Span ? ";w=" + refillSeconds(limit) : "";
        return new Policy(limit, name, item + ";r=", most, item + ";q=" + most + width);
    }

    /** The seconds in which the whole burst comes back, up to the largest integer of RFC 9651. */
    private static long refillSeconds(Limit limit) {
        if (limit.burst() == limit.permits()) {
            return Seconds.retry(limit.periodMicros());
        }
        BigInteger[] seconds = BigInteger.valueOf(limit.periodMicros())
                .multiply(BigInteger.valueOf(limit.burst()))
                .divideAndRemainder(BigInteger.valueOf(limit.permits()).multiply(BigInteger.valueOf(1_000_000)));
        return seconds[0]
                .add(BigInteger.valueOf(seconds[1].signum()))
                .min(LARGEST)
                .longValueExact();
    }

    /**
     * The item in the {@code RateLimit} header, with the remaining permits and the seconds until there are more:
     * {@code "api";r=42;t=17}.
     *
     * @param remaining the remaining permits, in digits
     */
    String standing(Standing standing, String remaining) {
        long more = Seconds.untilMore(standing);
        return more == Seconds.NONE ? opening + remaining : opening + remaining + ";t=" + more;
    }

    /** The text as a string of RFC 9651, which is printable ASCII; any other character becomes an underscore. */
    private static String item(String text) {
        StringBuilder item = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                item.append('\\');
            }
            item.append(c >= ' ' && c <= '~' ? c : '_');
        }
        return item.append('"').toString();
    }
}
