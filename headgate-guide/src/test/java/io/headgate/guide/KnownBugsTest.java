package io.headgate.guide;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of known bugs names exactly the tests whose documentation names the bug. */
class KnownBugsTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([A-Z]\\d{1,2}) \\| \\S.* \\| ((?:`\\w+`(?:, )?)+) \\|$");
    private static final Pattern MENTION =
            Pattern.compile("Known bugs? ([A-Z]\\d{1,2}(?:(?:, | and | to )[A-Z]\\d{1,2})*)");

    @Test
    void namesTheTestsThatNameTheBug() throws IOException {
        Map<String, Set<String>> page = new TreeMap<>();
        String text = Pages.read(Pages.ROOT.resolve("docs/known-bugs-of-limiters.md"));
        ROW.matcher(text).results().forEach(row -> page.put(row.group(1), names(row.group(2))));
        assertThat(page).hasSizeGreaterThan(100);

        assertThat(mentions("/src/test/")).isEqualTo(page);
    }

    @Test
    void isNotMentionedInWhatIsPublished() throws IOException {
        assertThat(mentions("/src/main/")).isEmpty();
    }

    private static Set<String> names(String cell) {
        return Arrays.stream(cell.split(", ", -1))
                .map(name -> name.replace("`", ""))
                .collect(toCollection(TreeSet::new));
    }

    /** The bugs that sources below a folder of that name mention, and the classes that mention each. */
    private static Map<String, Set<String>> mentions(String folder) throws IOException {
        Map<String, Set<String>> mentions = new TreeMap<>();
        for (Path source : sources(folder)) {
            String name = source.getFileName().toString().replaceAll("\\.\\w+$", "");
            Matcher mention = MENTION.matcher(Files.readString(source).replaceAll("\\n\\s*\\*\\s*", " "));
            mention.results()
                    .flatMap(KnownBugsTest::ids)
                    .forEach(id ->
                            mentions.computeIfAbsent(id, bug -> new TreeSet<>()).add(name));
        }
        return mentions;
    }

    private static List<Path> sources(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(Pages.ROOT)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)"))
                    .filter(file -> file.toString().contains(folder))
                    .filter(file -> !file.endsWith("KnownBugsTest.java"))
                    .toList();
        }
    }

    /** Expands "P01 to P03, H8" into its ids. */
    private static Stream<String> ids(MatchResult mention) {
        return Arrays.stream(mention.group(1).split(", | and ", -1)).flatMap(part -> {
            String[] ends = part.split(" to ", -1);
            String digits = "%0" + (ends[0].length() - 1) + "d";
            return IntStream.rangeClosed(number(ends[0]), number(ends[ends.length - 1]))
                    .mapToObj(number -> ends[0].charAt(0) + digits.formatted(number));
        });
    }

    private static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }
}
