package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.Window;
import io.headgate.http.Rule;

/**
 * What is told of a limit however it stands.
 *
 * @param name what it is called in headers and bodies: by its rule, and with the limit behind a colon if the rule has several
 * @param opening {@code "api";r=}: how an item of a list in a header begins that says how many remain
 * @param permits how many there are, in digits
 * @param text {@code "api";q=100;w=60}: so many permits in so many seconds; days, weeks and months have no one length
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
     * {@code "api";r=42;t=17}: so many remain, and there are more in so many seconds.
     *
     * @param remaining how many remain, in digits
     */
    String standing(Standing standing, String remaining) {
        long more = Seconds.untilMore(standing);
        return more == Seconds.NONE ? opening + remaining : opening + remaining + ";t=" + more;
    }

    /** A string of RFC 9651, which is printable ASCII. */
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
