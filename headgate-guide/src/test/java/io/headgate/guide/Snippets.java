package io.headgate.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of this module's sources that pages show: what stands between the lines {@code // snippet} and {@code // end}.
 * They are compiled, and most of them are run, like everything else here.
 */
final class Snippets {

    private static final Path SOURCES = Path.of("src/test");
    private static final String BEGIN = "// snippet";
    private static final String END = "// end";

    private Snippets() {}

    static List<String> all() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .sorted()
                    .flatMap(file -> in(Pages.read(file)).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> in(String source) {
        List<String> snippets = new ArrayList<>();
        List<String> lines = source.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(BEGIN)) {
                int begin = i + 1;
                while (!lines.get(i).strip().equals(END)) {
                    i++;
                }
                snippets.add(plain(String.join("\n", lines.subList(begin, i))));
            }
        }
        return snippets;
    }

    /** Without what a page may do differently: the indentation of the whole, and how comments are aligned. */
    static String plain(String code) {
        return code.stripIndent()
                .strip()
                .lines()
                .map(String::stripTrailing)
                .map(line -> line.replaceAll("(?<=\\S) {2,}", " "))
                .reduce((above, below) -> above + "\n" + below)
                .orElse("");
    }
}
