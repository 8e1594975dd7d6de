package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.Window;
import io.headgate.http.Rule;

/**
 * The text about a limit that does not depend on its state.
 *
 * @param name the name of the limit in headers and bodies: that of its rule, followed by a colon and the limit if the rule has
 *     several
 * @param opening the beginning of the item in the {@code RateLimit} header, up to the remaining permits: {@code "api";r=}
 * @param permits the number of permits, in digits
 * @param text the item in the {@code RateLimit-Policy} header, with permits and seconds: {@code "api";q=100;w=60}. Calendar days,
 *     weeks and months have no {@code w}, since their length varies
 */
record Policy(Limit limit, String name, String opening, String permits, String text) {

    static Policy of(Rule rule, Limit limit, boolean only) {
        String name = only ? rule.name() : rule.name() + ":" + (limit.name() != null ? limit.name() : limit.text());
        String item = item(name);
        String permits = Long.toString(limit.permits());
        String width = limit.window() instanceof Window.Span ? ";w=" + Seconds.retry(limit.periodMicros()) : "";
        return new Policy(limit, name, item + ";r=", permits, item + ";q=" + permits + width);
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
