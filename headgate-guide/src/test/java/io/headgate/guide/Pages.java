package io.headgate.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The README and the pages of the guide, and the blocks of code in them. */
final class Pages {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final String FENCE = "```";

    private Pages() {}

    /**
     * A block of code on a page.
     *
     * @param language what stands behind the fence; empty for none
     */
    record Block(String page, int line, String language, String text) {

        @Override
        public String toString() {
            return page + ":" + line;
        }
    }

    static List<Path> all() {
        try (Stream<Path> guide = Files.list(ROOT.resolve("docs/guide"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), guide.sorted())
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks of a language on all pages. */
    static List<Block> blocks(String language) {
        return all().stream()
                .flatMap(page -> blocks(ROOT.relativize(page).toString(), read(page)).stream())
                .filter(block -> block.language.equals(language))
                .toList();
    }

    /** The first block of a language on a page of the guide that contains these words. */
    static String block(String page, String language, String words) {
        return blocks(language).stream()
                .filter(block -> block.page.equals("docs/guide/" + page) && block.text.contains(words))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + language + " with '" + words + "' in " + page))
                .text;
    }

    static List<Block> blocks(String page, String text) {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(FENCE)) {
                int begin = i++;
                while (!lines.get(i).equals(FENCE)) {
                    i++;
                }
                String language = lines.get(begin).substring(FENCE.length());
                blocks.add(new Block(page, begin + 1, language, String.join("\n", lines.subList(begin + 1, i))));
            }
        }
        return blocks;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
