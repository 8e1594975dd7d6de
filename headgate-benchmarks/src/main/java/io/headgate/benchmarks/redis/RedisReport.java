package io.headgate.benchmarks.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The medians as tables, and whether each bar was met. */
final class RedisReport {

    private final Map<Situation, Map<Peer, Measured>> medians = new EnumMap<>(Situation.class);
    private final Map<String, Long> bytesPerKey;

    RedisReport(Map<Situation, Map<Peer, List<Measured>>> runs, Map<String, Long> bytesPerKey) {
        runs.forEach((situation, peers) -> {
            Map<Peer, Measured> of = new EnumMap<>(Peer.class);
            peers.forEach((peer, measured) -> of.put(peer, Measured.median(measured)));
            medians.put(situation, of);
        });
        this.bytesPerKey = bytesPerKey;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        medians.forEach((situation, peers) -> append(text, situation, peers));
        text.append("\nBytes per key beyond the integer 1 with a TTL under the same name:\n");
        bytesPerKey.forEach((algorithm, bytes) -> {
            int bar = algorithm.equals("sliding-window") ? 200 : 80;
            boolean log = algorithm.equals("sliding-window-log");
            text.append(String.format(
                    Locale.ROOT, "- `%s`: %d%s%n", algorithm, bytes, log ? "" : verdict(bytes <= bar, bar)));
        });
        return text.toString();
    }

    private static String verdict(boolean met, int bar) {
        return " (at most " + bar + ": " + (met ? "yes" : "**no**") + ")";
    }

    private static void append(StringBuilder text, Situation situation, Map<Peer, Measured> peers) {
        Measured floor = peers.get(Peer.NOTHING);
        if (floor == null) {
            return;
        }
        text.append("\n### ").append(situation.label).append("\n\n");
        text.append(
                        "| | checks/s | of `return 1` | p50 µs | p99 µs | script calls per check | Redis CPU µs | client CPU µs |")
                .append(situation == Situation.DENIED ? "" : " against its plain script |")
                .append('\n')
                .append("|---|---|---|---|---|---|---|---|")
                .append(situation == Situation.DENIED ? "\n" : "---|\n");
        peers.forEach((peer, measured) -> {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.2f | %.0f | %.0f | %.3f | %.1f | %.1f |",
                    peer.label,
                    measured.perSecond(),
                    measured.perSecond() / floor.perSecond(),
                    measured.p50(),
                    measured.p99(),
                    measured.calls(),
                    measured.redisCpu(),
                    measured.clientCpu()));
            Measured plain = peer.plain == null ? null : peers.get(peer.plain);
            if (situation != Situation.DENIED) {
                text.append(plain == null ? " |" : against(measured, plain));
            }
            text.append('\n');
        });
    }

    private static String against(Measured ours, Measured plain) {
        return String.format(
                Locale.ROOT,
                " %.2f of its rate, p50 %.2f, p99 %.2f, Redis CPU %.2f, all CPU %.2f times |",
                ours.perSecond() / plain.perSecond(),
                ours.p50() / plain.p50(),
                ours.p99() / plain.p99(),
                ours.redisCpu() / plain.redisCpu(),
                ours.cpu() / plain.cpu());
    }
}
