package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link leads somewhere, and every page can be found from the index. */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    @Test
    void leadSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : Pages.all()) {
            for (String link : links(page)) {
                if (!link.startsWith("http") && !leadsSomewhere(page, link)) {
                    broken.add(Pages.ROOT.relativize(page) + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void leadFromTheIndexToEveryPage() {
        Path index = Pages.ROOT.resolve("docs/guide/README.md");
        List<String> pages = Pages.all().stream()
                .filter(page -> page.getParent().equals(index.getParent()) && !page.equals(index))
                .map(page -> page.getFileName().toString())
                .toList();

        assertThat(links(index)).containsAll(pages);
        assertThat(links(Pages.ROOT.resolve("README.md"))).contains("docs/guide/README.md");
    }

    private static List<String> links(Path page) {
        List<String> links = new ArrayList<>();
        Matcher link = LINK.matcher(Pages.read(page));
        while (link.find()) {
            links.add(link.group(1));
        }
        return links;
    }

    private static boolean leadsSomewhere(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** As GitHub names headings. */
    private static List<String> anchors(Path page) {
        return Pages.read(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
