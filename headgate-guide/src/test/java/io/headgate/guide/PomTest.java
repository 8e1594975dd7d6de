package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every dependency on a page is one that the bill of materials has, in this version. */
class PomTest {

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>io.headgate</groupId>\\s*<artifactId>([^<]+)</artifactId>(?:\\s*<version>([^<]+)</version>)?");

    private static final String BOM = Pages.read(Pages.ROOT.resolve("headgate-bom/pom.xml"));

    static List<Block> xml() {
        return Pages.blocks("xml");
    }

    @ParameterizedTest
    @MethodSource("xml")
    void namesWhatThereIs(Block block) {
        Matcher dependency = DEPENDENCY.matcher(block.text());
        while (dependency.find()) {
            assertThat(BOM).contains("<artifactId>" + dependency.group(1) + "</artifactId>");
            if (dependency.group(2) != null) {
                assertThat(BOM).contains("<version>" + dependency.group(2) + "</version>");
            }
        }
    }

    /** The quick start's is built, so the README's resolves too. */
    @ParameterizedTest
    @MethodSource("readme")
    void isTheSameInTheReadmeAsInTheQuickStart(Block block) {
        assertThat(Pages.block("quick-start.md", "xml", "<project").replaceAll("\\s+", ""))
                .contains(block.text().replaceAll("\\s+", ""));
    }

    static List<Block> readme() {
        return xml().stream().filter(block -> block.page().equals("README.md")).toList();
    }

    @Test
    void usesTheSpringBootOfThisBuild() {
        Matcher version =
                Pattern.compile("<spring-boot.version>([^<]+)<").matcher(Pages.read(Pages.ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        assertThat(Pages.block("quick-start.md", "xml", "<project"))
                .contains("<version>" + version.group(1) + "</version>");
    }
}
