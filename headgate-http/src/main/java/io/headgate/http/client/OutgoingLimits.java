package io.headgate.http.client;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.LedgerFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limiters of all clients, and which of them is responsible for a host. Immutable. */
public final class OutgoingLimits {

    private static final String BELOW = "*.";

    private final Map<String, OutgoingLimiter> clients = new LinkedHashMap<>();
    private final Map<String, OutgoingLimiter> hosts = new HashMap<>();
    private final boolean patterns;

    private OutgoingLimits(List<OutgoingClient> all, LedgerFactory ledgers, TimeSource time, String usualAlgorithm) {
        for (OutgoingClient client : all) {
            OutgoingLimiter limiter = new OutgoingLimiter(client, ledgers, time, usualAlgorithm);
            clients.put(client.name(), limiter);
            client.hosts().forEach(host -> hosts.put(host, limiter));
        }
        this.patterns = hosts.keySet().stream().anyMatch(host -> host.startsWith("*"));
    }

    /**
     * Limits whose budgets are in the store of {@code headgate}.
     *
     * @throws IllegalArgumentException naming everything that is wrong with the clients
     */
    public static OutgoingLimits of(Headgate headgate, OutgoingClient... clients) {
        return of(LedgerFactory.of(headgate), TimeSource.system(), OutgoingLimiter.usualAlgorithm(), List.of(clients));
    }

    /**
     * Limits whose budgets are where the ledgers are.
     *
     * @param time the time of this process
     * @param usualAlgorithm the algorithm of limits that name none, of clients that name none
     * @throws IllegalArgumentException naming everything that is wrong with the clients
     */
    public static OutgoingLimits of(
            LedgerFactory ledgers, TimeSource time, String usualAlgorithm, List<OutgoingClient> clients) {
        List<String> problems = new ArrayList<>(OutgoingClient.conflicts(clients));
        clients.forEach(client -> problems(client, ledgers, usualAlgorithm)
                .forEach(problem -> problems.add("client '" + client.name() + "': " + problem)));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new OutgoingLimits(clients, ledgers, time, usualAlgorithm);
    }

    /** Everything that is wrong with a client alone. */
    public static List<String> problems(OutgoingClient client, LedgerFactory ledgers, String usualAlgorithm) {
        List<String> problems = new ArrayList<>(client.problems());
        if (problems.isEmpty()) {
            try {
                new OutgoingLimiter(client, ledgers, TimeSource.system(), usualAlgorithm);
            } catch (IllegalArgumentException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return problems;
    }

    /** What is wrong with clients together: names and hosts that two of them claim. */
    public static List<String> conflicts(List<OutgoingClient> clients) {
        return OutgoingClient.conflicts(clients);
    }

    /**
     * The limiter of the named client.
     *
     * @throws IllegalArgumentException if there is none
     */
    public OutgoingLimiter client(String name) {
        OutgoingLimiter limiter = clients.get(name);
        if (limiter == null) {
            throw new IllegalArgumentException("no client is called '" + name + "'; there are " + clients.keySet());
        }
        return limiter;
    }

    /** The limiter of the host of a request, however it is written; {@code null} if requests to it are not limited. */
    public @Nullable OutgoingLimiter limiter(String host) {
        String name = sameForAll(host);
        OutgoingLimiter exact = hosts.get(name);
        return exact != null || !patterns || name.isEmpty() ? exact : byPattern(name);
    }

    private @Nullable OutgoingLimiter byPattern(String host) {
        for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
            OutgoingLimiter below = hosts.get(BELOW + host.substring(dot + 1));
            if (below != null) {
                return below;
            }
        }
        return hosts.get("*");
    }

    /** One form for all spellings of a host: in lower case, without the dot of a full name. */
    static String sameForAll(String host) {
        String plain = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return plain.toLowerCase(Locale.ROOT);
    }

    /** The host of an address, in the form in which clients name hosts; empty if it has none. */
    public static String host(URI address) {
        String host = address.getHost();
        if (host == null) { // java.net.URI does not know names with underscores
            String authority = address.getRawAuthority();
            if (authority == null) {
                return "";
            }
            String place = authority.substring(authority.lastIndexOf('@') + 1);
            int colon = place.lastIndexOf(':');
            host = colon < 0 ? place : place.substring(0, colon);
        }
        return sameForAll(host);
    }
}
