package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every line of Java and Kotlin on a page is a line that is compiled here. */
class SnippetsTest {

    static List<Block> code() {
        return Stream.of("java", "kotlin")
                .flatMap(language -> Pages.blocks(language).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("code")
    void isCompiledAsItStandsOnThePage(Block block) {
        String shown = Snippets.plain(block.text());
        String first = shown.lines().findFirst().orElseThrow();
        List<String> alike =
                Snippets.all().stream().filter(each -> each.startsWith(first)).toList();

        assertThat(alike.isEmpty() ? Snippets.all() : alike)
                .as("a snippet of headgate-guide/src/test is what %s shows", block)
                .contains(shown);
    }

    @Test
    void isShownSomewhere() {
        List<String> shown =
                code().stream().map(block -> Snippets.plain(block.text())).toList();

        assertThat(Snippets.all()).as("snippets that no page shows").allMatch(shown::contains);
    }

    @Test
    void findsBlocksAndSnippetsAndSeesEveryDifferenceButAlignment() {
        String page = "text\n```java\nif (a) {\n    b();   // why\n}\n```\nmore\n```yaml\na: 1\n```\n";
        List<String> source =
                List.of("x", "    // snippet", "    if (a) {", "        b(); // why", "    }", "    // end", "y");
        List<String> snippets = Snippets.in(String.join("\n", source));

        assertThat(Pages.blocks("p", page)).extracting(Block::language).containsExactly("java", "yaml");
        assertThat(snippets).containsExactly("if (a) {\n    b(); // why\n}");
        assertThat(Snippets.plain(Pages.blocks("p", page).get(0).text())).isEqualTo(snippets.get(0));
        for (String other :
                List.of("if (a) {\n    c(); // why\n}", "if (a) {\nb(); // why\n}", "if (a) { b(); // why\n}")) {
            assertThat(Snippets.plain(other)).isNotEqualTo(snippets.get(0));
        }
    }

    @Test
    void thereAreMany() {
        assertThat(code()).hasSizeGreaterThan(20);
    }
}
