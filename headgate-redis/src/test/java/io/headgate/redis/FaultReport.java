package io.headgate.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run has tried and found, as one part of {@code docs/faults.md}: a table under a few words. */
final class FaultReport {

    private static final Path FOLDER = Path.of("target", "faults");

    private final String part;
    private final String words;
    private final List<String> rows = new ArrayList<>();

    /** @param part the name of its file; the parts of the page follow each other by name */
    FaultReport(String part, String words, List<String> columns) {
        this.part = part;
        this.words = words;
        add(columns);
        add(columns.stream().map(each -> "---").toList());
    }

    final void add(List<String> cells) {
        rows.add("| " + String.join(" | ", cells) + " |");
    }

    void write() {
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(part + ".md"), words + "\n" + String.join("\n", rows) + "\n\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
