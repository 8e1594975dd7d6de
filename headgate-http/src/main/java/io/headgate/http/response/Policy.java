package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.Window;
import io.headgate.http.Rule;
import io.headgate.http.Verdict;
import java.util.List;

/** What limits are called in headers and bodies: by their rule, and with the limit behind a colon if it has several. */
final class Policy {

    private Policy() {}

    static String name(Rule rule, Limit limit, boolean only) {
        if (only) {
            return rule.name();
        }
        return rule.name() + ":" + (limit.name() != null ? limit.name() : limit.text());
    }

    /**
     * Adds the limits of a check to both lists: {@code "api";q=100;w=60}, so many permits in so many seconds (days, weeks and
     * months have no one length), and {@code "api";r=42;t=17}, so many remain, and more in so many seconds.
     */
    static void append(StringBuilder policies, StringBuilder standings, Verdict.Check check) {
        List<Standing> limits = check.decision().limits();
        for (int i = 0; i < limits.size(); i++) {
            Standing standing = limits.get(i);
            Limit limit = standing.limit();
            String name = name(check.rule(), limit, limits.size() == 1);
            appendString(policies, name);
            policies.append(";q=").append(limit.permits());
            if (limit.window() instanceof Window.Span) {
                policies.append(";w=").append(Seconds.retry(limit.periodMicros()));
            }
            appendString(standings, name);
            standings.append(";r=").append(standing.remaining());
            long more = Seconds.untilMore(standing);
            if (more != Seconds.NONE) {
                standings.append(";t=").append(more);
            }
        }
    }

    /** The next item: a string of RFC 9651, which is printable ASCII. */
    private static void appendString(StringBuilder list, String text) {
        list.append(list.length() == 0 ? "\"" : ", \"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                list.append('\\');
            }
            list.append(c >= ' ' && c <= '~' ? c : '_');
        }
        list.append('"');
    }
}
