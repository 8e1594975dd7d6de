package io.headgate.http.client;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.http.RuleValidation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A budget for what is sent to some hosts.
 *
 * <pre>{@code
 * OutgoingClient.named("payments").hosts("api.example.com").limits("50/s").maxWait(Duration.ofSeconds(2))
 * }</pre>
 *
 * @param name identifies the budget, also for other instances
 * @param hosts names of hosts, {@code *.example.com} for all names below one, or {@code *} for all that no other client names
 * @param perHost whether each host has a budget of its own
 * @param limits in their {@linkplain Limit#parse text form}; empty if only the server limits
 * @param algorithm of the limits that name none; {@code null} for the usual one
 * @param maxWait how long a request waits for a permit at most
 * @param learn whether the answers of the server count
 * @param maxPause the longest time that the server can make requests wait
 * @param onStoreFailure what happens to a request if the store fails
 */
public record OutgoingClient(
        String name,
        List<String> hosts,
        boolean perHost,
        List<String> limits,
        @Nullable String algorithm,
        Duration maxWait,
        boolean learn,
        Duration maxPause,
        FailurePolicy onStoreFailure) {

    private static final Pattern HOST =
            Pattern.compile("(?i)\\*|(\\*\\.)?[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?|\\[[0-9a-f:.]+]");
    private static final Pattern URI = Pattern.compile("(?i)(?:[a-z+.-]+://)?([^/:]+)(?::\\d+)?(?:/.*)?");

    /** What the store can keep: milliseconds, counted with 31 bits. */
    private static final Duration LONGEST_PAUSE = Duration.ofDays(24);

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    public OutgoingClient {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        limits = List.copyOf(limits);
    }

    /** A client that has yet to get its hosts, learns from servers, and does not wait. */
    public static OutgoingClient named(String name) {
        return new OutgoingClient(
                name, List.of(), false, List.of(), null, Duration.ZERO, true, Duration.ofHours(1), FailurePolicy.LOCAL);
    }

    public OutgoingClient hosts(String... hosts) {
        return new OutgoingClient(
                name, List.of(hosts), perHost, limits, algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient perHost(boolean perHost) {
        return new OutgoingClient(name, hosts, perHost, limits, algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient limits(String... limits) {
        return new OutgoingClient(
                name, hosts, perHost, List.of(limits), algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient maxWait(Duration maxWait) {
        return new OutgoingClient(name, hosts, perHost, limits, algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient learn(boolean learn) {
        return new OutgoingClient(name, hosts, perHost, limits, algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient maxPause(Duration maxPause) {
        return new OutgoingClient(name, hosts, perHost, limits, algorithm, maxWait, learn, maxPause, onStoreFailure);
    }

    public OutgoingClient onStoreFailure(FailurePolicy policy) {
        return new OutgoingClient(name, hosts, perHost, limits, algorithm, maxWait, learn, maxPause, policy);
    }

    /** The limits; empty if only the server limits. */
    Optional<Plan> plan(String usualAlgorithm) {
        return limits.isEmpty()
                ? Optional.empty()
                : Optional.of(new Plan(limits.stream()
                        .map(limit -> Limit.parse(limit, algorithm, usualAlgorithm))
                        .toList()));
    }

    /** Everything that is wrong with this client alone. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (name.isBlank()) {
            problems.add("needs a name, such as name: payments: it identifies the budget");
        } else if (!RuleValidation.isName(name)) {
            problems.add("name '" + name + "' cannot be used: " + RuleValidation.NAME);
        }
        if (hosts.isEmpty()) {
            problems.add("needs hosts, such as hosts: [api.example.com]; * stands for all that no other client names");
        }
        for (String host : hosts) {
            if (!HOST.matcher(host).matches()) {
                var uri = URI.matcher(host);
                boolean meant = uri.matches() && HOST.matcher(uri.group(1)).matches();
                problems.add("hosts: '" + host + "' is not a host; write the name alone, such as "
                        + (meant ? uri.group(1) : "api.example.com")
                        + ", or *.example.com for all names below one");
            }
        }
        if (limits.isEmpty() && !learn) {
            problems.add("has no limits and learn: false, so it would limit nothing; write limits such as limits: 50/s,"
                    + " or learn: true");
        }
        for (String limit : limits) {
            try {
                Limit parsed = Limit.parse(limit);
                if (parsed.permits() == 0) {
                    problems.add("limit '" + limit + "' sends nothing at all; write one such as 50/s");
                }
            } catch (IllegalArgumentException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (maxWait.isNegative()) {
            problems.add("max-wait = " + maxWait + ": must not be negative, for example max-wait: 2s");
        }
        if (maxPause.compareTo(SHORTEST_PAUSE) < 0 || maxPause.compareTo(LONGEST_PAUSE) > 0) {
            problems.add("max-pause = " + maxPause + ": must be between 1s and 24d, for example max-pause: 1h");
        }
        return problems;
    }

    /** What is wrong with these clients together: names and hosts that two of them claim. */
    static List<String> conflicts(List<OutgoingClient> clients) {
        Set<String> problems = new LinkedHashSet<>();
        Map<String, String> owners = new HashMap<>();
        Set<String> names = new LinkedHashSet<>();
        for (OutgoingClient client : clients) {
            if (!client.name.isBlank() && !names.add(client.name)) {
                problems.add("two clients are called '" + client.name
                        + "'; give one of them another name, or write the hosts of both in one");
            }
            for (String host : new LinkedHashSet<>(client.hosts)) {
                String owner = owners.putIfAbsent(host, client.name);
                if (owner != null) {
                    problems.add("host '" + host + "' is claimed by client '" + owner + "' and by client '"
                            + client.name + "'; a host belongs to one client: remove it from the other");
                }
            }
        }
        return List.copyOf(problems);
    }
}
