package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every dependency on a page is one that the bill of materials has, in this version. */
class PomTest {

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>io.headgate</groupId>\\s*<artifactId>([^<]+)</artifactId>(?:\\s*<version>([^<]+)</version>)?");

    static List<Block> xml() {
        return Pages.blocks("xml");
    }

    @ParameterizedTest
    @MethodSource("xml")
    void namesWhatThereIs(Block block) {
        String bom = Pages.read(Pages.ROOT.resolve("headgate-bom/pom.xml"));
        Matcher dependency = DEPENDENCY.matcher(block.text());
        assertThat(dependency.find()).isTrue();
        assertThat(bom).contains("<artifactId>" + dependency.group(1) + "</artifactId>");
        if (dependency.group(2) != null) {
            assertThat(bom).contains("<version>" + dependency.group(2) + "</version>");
        }
    }
}
