package io.headgate.load;

import java.util.List;
import java.util.Locale;

/**
 * The result of a simulation.
 *
 * @param client the responses that the clients received
 * @param misses the requirements that were not met; empty if all were
 */
record Outcome(String simulation, Totals client, String remark, List<String> misses) {

    Outcome {
        misses = List.copyOf(misses);
    }

    boolean good() {
        return misses.isEmpty();
    }

    static String table(List<Outcome> outcomes) {
        StringBuilder table =
                new StringBuilder("\n| simulation | requests | allowed | denied | p50 ms | p99 ms | | |\n");
        table.append("|---|---|---|---|---|---|---|---|\n");
        for (Outcome each : outcomes) {
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %d | %d | %s | %s |%n",
                    each.simulation,
                    each.client.requests(),
                    each.client.allowed(),
                    each.client.denied(),
                    each.client.p50(),
                    each.client.p99(),
                    each.remark,
                    each.good() ? "as it must be" : "MISSED: " + String.join("; ", each.misses)));
        }
        return table.toString();
    }
}
