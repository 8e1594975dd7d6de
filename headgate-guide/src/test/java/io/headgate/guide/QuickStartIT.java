package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a first user does: copy the blocks of the pages into files, build them with Maven, start the application. */
class QuickStartIT {

    private static final String MAVEN = "org.apache.maven.plugins";
    private static final String COMPILE = MavenProject.goal(MAVEN, "maven-compiler-plugin", "compile");
    private static final String COMPILE_TESTS = MavenProject.goal(MAVEN, "maven-compiler-plugin", "testCompile");
    private static final String COPY_RESOURCES = MavenProject.goal(MAVEN, "maven-resources-plugin", "resources");
    private static final String START = MavenProject.goal("org.codehaus.mojo", "exec-maven-plugin", "java");

    static final List<String> START_APPLICATION =
            List.of(COPY_RESOURCES, COMPILE, START, "-Dexec.mainClass=com.example.HelloApplication", "-Dserver.port=0");

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Pattern FILE = Pattern.compile("(?ms)\\Apackage com\\.example;.*?^(?:public )?class (\\w+)");
    private static final String POM = Pages.block("quick-start.md", "xml", "<project");

    @TempDir
    Path folder;

    @Test
    void startsAnApplicationThatDeniesTheEleventhRequest() throws IOException {
        MavenProject project = MavenProject.in(folder, POM);
        writeClasses("docs/guide/quick-start.md", "main", project);
        project.write("src/main/resources/application.yml", Pages.block("quick-start.md", "yaml", "name: api"));

        try (MavenProject.Run application = project.run(START_APPLICATION)) {
            String uri = "http://localhost:" + application.find(PORT) + "/api/hello";
            HttpClient client = HttpClient.newHttpClient();
            int allowed = 0;
            HttpResponse<String> answer = Application.get(client, uri);
            while (answer.statusCode() == 200
                    && allowed < 20) { // a permit comes back every 6 s, and a new process is slow
                assertThat(answer.body()).isEqualTo("hello");
                allowed++;
                answer = Application.get(client, uri);
            }
            assertThat(allowed).isGreaterThanOrEqualTo(10);
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After"))
                    .get()
                    .asString()
                    .matches("[1-6]");
        }
    }

    @Test
    void findsEveryDependencyThatAPageShows() throws IOException {
        String dependencies = Pages.blocks("xml").stream()
                .map(Block::text)
                .filter(text -> text.startsWith("<dependency>")
                        && !POM.replaceAll("\\s", "").contains(text.replaceAll("\\s", "")))
                .collect(Collectors.joining("\n"));
        int end = POM.lastIndexOf("</dependencies>");
        MavenProject project = MavenProject.in(folder, POM.substring(0, end) + dependencies + POM.substring(end));
        writeClasses("docs/guide/quick-start.md", "main", project);
        writeClasses("docs/guide/testing.md", "test", project);

        try (MavenProject.Run build = project.run(List.of(COMPILE, COMPILE_TESTS))) {
            assertThat(build.output()).isEmpty();
        }
        assertThat(folder.resolve("target/test-classes/com/example/HelloLimitTest.class"))
                .exists();
    }

    /** The blocks of a page that are whole files. */
    static void writeClasses(String page, String kind, MavenProject project) throws IOException {
        for (Block block : Pages.blocks("java")) {
            Matcher file = FILE.matcher(block.text());
            if (block.page().equals(page) && file.find()) {
                project.write("src/" + kind + "/java/com/example/" + file.group(1) + ".java", block.text());
            }
        }
    }
}
