package io.headgate.http.client;

import io.headgate.TimeSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the answers of a server say about its budgets.
 *
 * <p>Understands {@code Retry-After} (seconds and dates), {@code RateLimit} and {@code RateLimit-Policy} in the forms of the IETF drafts 0
 * to 11, and {@code X-RateLimit-*}. The server is not trusted: a time is never longer than the cap, and a value that is no number is
 * ignored. The first bad value of each header is logged.
 */
final class AnswerReader {

    private static final System.Logger LOG = System.getLogger(OutgoingLimiter.class.getName());

    /** How long to wait after a {@code 429} without a time, and for a budget of which nobody says when it is back. */
    static final long USUAL_WAIT_MICROS = 1_000_000;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,40}(\\.\\d{1,9})?");

    /** Greater numbers of seconds or milliseconds are points in time: nobody waits for 30 years. */
    private static final long SECONDS_SINCE_EPOCH = 1_000_000_000L;

    private static final long MILLIS_SINCE_EPOCH = SECONDS_SINCE_EPOCH * 1_000;

    private static final int PLAIN_DIGITS = 9;

    private final String client;
    private final long capMicros;
    private final TimeSource time;
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    /** The policies that were read last: a server repeats them with every answer. */
    private volatile Policies policies = new Policies("", List.of());

    private record Policies(String written, List<FieldMember> members) {}

    AnswerReader(String client, long capMicros, TimeSource time) {
        this.client = client;
        this.capMicros = capMicros;
        this.time = time;
    }

    /** @param headers returns the value of a header, several of them joined by commas, or {@code null} */
    List<ToldBudget> read(int status, Function<String, @Nullable String> headers) {
        List<ToldBudget> told = budgets(headers);
        if (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE) {
            String written = headers.apply("Retry-After");
            long wait = written == null ? ToldBudget.UNKNOWN : retryAfter(written, headers);
            boolean exhausted = told.stream().anyMatch(each -> each.remaining() == 0);
            if (wait == ToldBudget.UNKNOWN && status == TOO_MANY_REQUESTS && !exhausted) {
                wait = USUAL_WAIT_MICROS;
            }
            if (wait != ToldBudget.UNKNOWN) {
                told = new ArrayList<>(told);
                told.add(new ToldBudget(ToldBudget.WAIT, 0, ToldBudget.UNKNOWN, wait));
            }
        }
        return told;
    }

    private List<ToldBudget> budgets(Function<String, @Nullable String> headers) {
        String standard = headers.apply("RateLimit");
        if (standard != null) {
            return standard(standard, headers);
        }
        List<ToldBudget> told = separate("RateLimit-", headers);
        return told.isEmpty() ? separate("X-RateLimit-", headers) : told;
    }

    /** One header for each number, as in the drafts up to 6 and long before them. */
    private List<ToldBudget> separate(String family, Function<String, @Nullable String> headers) {
        String written = headers.apply(family + "Remaining");
        if (written == null) {
            return List.of();
        }
        long remaining = count(family + "Remaining", written);
        if (remaining == ToldBudget.UNKNOWN) {
            return List.of();
        }
        String reset = headers.apply(family + "Reset");
        String limit = headers.apply(family + "Limit");
        long quota = limit == null
                ? ToldBudget.UNKNOWN
                : count(
                        family + "Limit",
                        FieldMember.list(limit).stream()
                                .findFirst()
                                .map(FieldMember::name)
                                .orElse(""));
        long wait = reset == null ? ToldBudget.UNKNOWN : wait(family + "Reset", reset, headers);
        return List.of(new ToldBudget(family, remaining, quota, orUsual(wait)));
    }

    /** {@code "api";r=3;t=10}, one member for each budget, or as in draft 7 {@code limit=5, remaining=3, reset=10}. */
    private List<ToldBudget> standard(String written, Function<String, @Nullable String> headers) {
        List<FieldMember> members = FieldMember.list(written);
        if (members.stream().anyMatch(member -> member.name().equals("remaining"))) {
            return separate("RateLimit: ", name -> draft7(members, name.substring("RateLimit: ".length())));
        }
        List<FieldMember> policies = policies(headers.apply("RateLimit-Policy"));
        List<ToldBudget> told = new ArrayList<>(members.size());
        for (FieldMember member : members) {
            String left = member.parameters().get("r");
            long remaining = left == null ? ToldBudget.UNKNOWN : count("RateLimit", left);
            if (remaining == ToldBudget.UNKNOWN) {
                complain("RateLimit", written, "is ignored");
                continue;
            }
            Map<String, String> policy = parameters(policies, member.name());
            String quota = policy.get("q");
            String reset = member.parameters().getOrDefault("t", policy.get("w"));
            told.add(new ToldBudget(
                    member.name(),
                    remaining,
                    quota == null ? ToldBudget.UNKNOWN : count("RateLimit-Policy", quota),
                    orUsual(reset == null ? ToldBudget.UNKNOWN : wait("RateLimit", reset, headers))));
        }
        return told;
    }

    private static @Nullable String draft7(List<FieldMember> members, String word) {
        for (FieldMember member : members) {
            if (member.name().equalsIgnoreCase(word)) {
                return member.value();
            }
        }
        return null;
    }

    private List<FieldMember> policies(@Nullable String written) {
        Policies known = policies;
        if (written == null || written.equals(known.written)) {
            return written == null ? List.of() : known.members;
        }
        Policies read = new Policies(written, FieldMember.list(written));
        policies = read;
        return read.members;
    }

    private static Map<String, String> parameters(List<FieldMember> policies, String name) {
        for (FieldMember policy : policies) {
            if (policy.name().equals(name)) {
                return policy.parameters();
            }
        }
        return Map.of();
    }

    private static long orUsual(long wait) {
        return wait == ToldBudget.UNKNOWN ? USUAL_WAIT_MICROS : wait;
    }

    private long retryAfter(String written, Function<String, @Nullable String> headers) {
        if (NUMBER.matcher(written.trim()).matches()) {
            return wait("Retry-After", written, headers);
        }
        try {
            return capped("Retry-After", written, date(written).toEpochMilli() * 1_000 - serverMicros(headers));
        } catch (DateTimeException e) {
            complain("Retry-After", written, "is ignored");
            return ToldBudget.UNKNOWN;
        }
    }

    /** A time to wait, from seconds or a point in time. */
    private long wait(String header, String written, Function<String, @Nullable String> headers) {
        long plain = plain(written);
        if (plain >= 0) {
            return capped(header, written, plain * 1_000_000);
        }
        if (!NUMBER.matcher(written.trim()).matches() || written.trim().startsWith("-")) {
            complain(header, written, "is ignored");
            return ToldBudget.UNKNOWN;
        }
        BigDecimal number = new BigDecimal(written.trim());
        boolean millis = number.compareTo(BigDecimal.valueOf(MILLIS_SINCE_EPOCH)) >= 0;
        boolean point = number.compareTo(BigDecimal.valueOf(SECONDS_SINCE_EPOCH)) >= 0;
        BigDecimal micros = number.movePointRight(millis ? 3 : 6).setScale(0, RoundingMode.CEILING);
        long most = micros.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
        return capped(header, written, point ? most - serverMicros(headers) : most);
    }

    private long capped(String header, String written, long micros) {
        if (micros > capMicros) {
            complain(header, written, "counts as " + capMicros / 1_000_000 + " s");
        }
        return Math.max(0, Math.min(capMicros, micros));
    }

    /** A number of a few digits, as nearly all are; negative if it is anything else. */
    private static long plain(String written) {
        long number = 0;
        for (int i = 0; i < written.length(); i++) {
            int digit = written.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i >= PLAIN_DIGITS) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return written.isEmpty() ? -1 : number;
    }

    private long count(String header, String written) {
        long plain = plain(written);
        if (plain >= 0) {
            return plain;
        }
        if (!NUMBER.matcher(written.trim()).matches()) {
            complain(header, written, "is ignored");
            return ToldBudget.UNKNOWN;
        }
        long count = new BigDecimal(written.trim())
                .min(BigDecimal.valueOf(Long.MAX_VALUE / 2))
                .longValue();
        if (count < 0) {
            complain(header, written, "counts as 0");
        }
        return Math.max(0, count);
    }

    /** The time of the server, with which it has computed points in time; ours if it does not say. */
    private long serverMicros(Function<String, @Nullable String> headers) {
        String date = headers.apply("Date");
        try {
            return date == null ? time.nowMicros() : date(date).toEpochMilli() * 1_000;
        } catch (DateTimeException e) {
            return time.nowMicros();
        }
    }

    private static Instant date(String written) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.parse(written.trim(), Instant::from);
    }

    private void complain(String header, String written, String instead) {
        if (complaints.add(header)) {
            String shown = written.length() > 100 ? written.substring(0, 100) + "..." : written;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "client ''{0}'': the server sends {1}: {2}, which {3}; further such values are not logged",
                    client,
                    header,
                    shown.replaceAll("\\p{Cntrl}", "?"),
                    instead);
        }
    }
}
