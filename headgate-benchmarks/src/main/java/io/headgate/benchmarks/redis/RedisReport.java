package io.headgate.benchmarks.redis;

import io.headgate.benchmarks.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The medians as Markdown tables: figures over all turns, comparisons turn by turn. */
final class RedisReport {

    private static final String HEAD =
            "| | checks/s | of `return 1` | p50 µs | p99 µs | script calls per check | Redis CPU µs | client CPU µs |";

    private final Map<Situation, Map<Peer, List<Measured>>> runs;
    private final Map<String, Long> bytesPerKey;

    RedisReport(Map<Situation, Map<Peer, List<Measured>>> runs, Map<String, Long> bytesPerKey) {
        this.runs = runs;
        this.bytesPerKey = bytesPerKey;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        runs.forEach((situation, peers) -> {
            text.append("\n### ").append(situation.label).append("\n\n");
            append(text, peers);
            if (situation != Situation.DENIED) {
                compare(text, peers);
            }
        });
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

    private static void append(StringBuilder text, Map<Peer, List<Measured>> peers) {
        text.append(HEAD).append("\n|---|---|---|---|---|---|---|---|\n");
        List<Measured> floor = peers.getOrDefault(Peer.NOTHING, List.of());
        peers.forEach((peer, turns) -> text.append(String.format(
                Locale.ROOT,
                "| %s | %.0f | %.2f | %.0f | %.0f | %.3f | %.1f | %.1f |%n",
                peer.label,
                median(turns, Measured::perSecond),
                beside(turns, floor, Measured::perSecond).median(),
                median(turns, Measured::p50),
                median(turns, Measured::p99),
                median(turns, Measured::calls),
                median(turns, Measured::redisCpu),
                median(turns, Measured::clientCpu))));
    }

    /** Compares Headgate with the plain script of the same algorithm and with the peer that also batches requests. */
    private static void compare(StringBuilder text, Map<Peer, List<Measured>> peers) {
        text.append("\n| beside | | checks/s | p50 | p99 | Redis CPU | all CPU |\n|---|---|---|---|---|---|---|\n");
        peers.forEach((peer, turns) -> {
            if (peer.plain != null) {
                compare(text, peers, peer, peer.plain);
                compare(text, peers, peer, Peer.BUCKET4J_BATCHING);
            }
        });
    }

    private static void compare(StringBuilder text, Map<Peer, List<Measured>> peers, Peer peer, Peer other) {
        List<Measured> ours = peers.get(peer);
        List<Measured> theirs = peers.get(other);
        if (ours != null && theirs != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s | %s |%n",
                    other.label,
                    peer.label,
                    beside(ours, theirs, Measured::perSecond),
                    beside(ours, theirs, Measured::p50),
                    beside(ours, theirs, Measured::p99),
                    beside(ours, theirs, Measured::redisCpu),
                    beside(ours, theirs, Measured::cpu)));
        }
    }

    private static double median(List<Measured> turns, ToDoubleFunction<Measured> figure) {
        return Spread.of(turns.stream().map(figure::applyAsDouble).toList()).median();
    }

    private static Spread beside(List<Measured> ours, List<Measured> theirs, ToDoubleFunction<Measured> figure) {
        return Spread.of(IntStream.range(0, ours.size())
                .mapToObj(turn -> figure.applyAsDouble(ours.get(turn)) / figure.applyAsDouble(theirs.get(turn)))
                .toList());
    }
}
