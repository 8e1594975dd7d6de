package io.headgate.spring.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The table of {@code docs/abuse.md}, as the run found things; in {@code target/abuse.md} after it. */
final class AbuseReport {

    private static final Set<String> LINES = new TreeSet<>();

    private AbuseReport() {}

    static synchronized void add(String attack, String target, String outcome) {
        LINES.add("| " + attack + " | " + target + " | " + outcome + " |");
    }

    static synchronized void write() {
        try {
            Files.writeString(
                    Files.createDirectories(Path.of("target")).resolve("abuse.md"),
                    "| tried | on | what happened |\n|---|---|---|\n" + String.join("\n", LINES) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
