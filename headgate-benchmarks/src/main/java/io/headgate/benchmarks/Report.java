package io.headgate.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of a run as Markdown: the table, then every target and whether it is met. */
final class Report {

    private static final List<Contender> PEERS = List.of(
            Contender.BUCKET4J,
            Contender.RESILIENCE4J_REMAINING,
            Contender.RESILIENCE4J,
            Contender.GUAVA,
            Contender.FAILSAFE_SMOOTH,
            Contender.FAILSAFE_BURSTY);

    private final Figures figures;
    private final Bars bars;

    Report(Figures figures) {
        this.figures = figures;
        this.bars = new Bars(figures);
    }

    @Override
    public String toString() {
        return "Times the floor: median of the forks (and what encloses it). Bytes per decision and per key.\n\n"
                + table(figureTitles(), figureRows())
                + "\nBars. Ahead of those that tell what remains, not behind the others beyond noise.\n\n"
                + table(barTitles(), barRows());
    }

    private static List<String> figureTitles() {
        List<String> titles = new ArrayList<>(List.of(""));
        Arrays.stream(Scenario.values()).forEach(scenario -> titles.add(scenario.label));
        titles.addAll(List.of("bytes, granted", "bytes, denied", "heap per key"));
        return titles;
    }

    private List<List<String>> figureRows() {
        List<List<String>> rows = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            List<String> row = new ArrayList<>(List.of(contender.label));
            for (Scenario scenario : Scenario.values()) {
                row.add(time(scenario, contender));
            }
            row.add(text(figures.bytes(Scenario.ONE_KEY, contender), bytes -> number(bytes.median())));
            row.add(text(figures.bytes(Scenario.DENIED, contender), bytes -> number(bytes.median())));
            row.add(text(figures.heapPerKey(contender), Report::number));
            rows.add(row);
        }
        return rows;
    }

    private String time(Scenario scenario, Contender contender) {
        return contender == Contender.FLOOR
                ? text(
                        figures.nanos(scenario, contender),
                        nanos -> String.format(Locale.ROOT, "1 = %.1f ns", nanos.median()))
                : text(figures.ratio(scenario, contender), Spread::toString);
    }

    private static List<String> barTitles() {
        List<String> titles = new ArrayList<>(List.of("", "", "times the floor"));
        PEERS.forEach(peer -> titles.add(peer.label));
        titles.addAll(List.of("bytes", "heap"));
        return titles;
    }

    private List<List<String>> barRows() {
        List<List<String>> rows = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            for (Contender ours : Contender.values()) {
                Boolean near = ours.hasBars() ? bars.nearFloor(scenario, ours) : null;
                if (near != null) {
                    rows.add(barRow(scenario, ours, near));
                }
            }
        }
        return rows;
    }

    private List<String> barRow(Scenario scenario, Contender ours, boolean near) {
        List<String> row = new ArrayList<>(List.of(
                scenario.label, ours.label, "at most " + bars.mostTimesTheFloor(scenario, ours) + ": " + yes(near)));
        PEERS.forEach(peer -> row.add(text(bars.holdsAgainst(scenario, ours, peer), Report::yes)));
        row.add(text(bars.allocatesLittle(scenario, ours), Report::yes));
        row.add(scenario == Scenario.MILLION_KEYS ? text(bars.keepsLittle(ours), Report::yes) : "");
        return row;
    }

    /** Renders a table without the rows in which nothing was measured. */
    private static String table(List<String> titles, List<List<String>> rows) {
        Stream<List<String>> measured =
                rows.stream().filter(row -> row.stream().skip(1).anyMatch(cell -> !cell.isEmpty()));
        StringBuilder table = new StringBuilder(line(titles))
                .append("|---".repeat(titles.size()))
                .append("|\n");
        measured.forEach(row -> table.append(line(row)));
        return table.toString();
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static <T> String text(@Nullable T figure, Function<T, String> write) {
        return figure == null ? "" : write.apply(figure);
    }

    private static String number(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }

    private static String yes(boolean met) {
        return met ? "yes" : "**no**";
    }
}
