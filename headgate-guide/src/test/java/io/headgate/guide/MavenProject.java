package io.headgate.guide;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A project of a user, built by the Maven that runs this build.
 *
 * <p>It finds the modules of this build in a repository of its own, and everything else in that of this build, which already has the
 * plugins. Nothing is installed there.
 */
record MavenProject(Path folder) {

    private static final String VERSION = find("<version>([^<]+)</version>", "headgate-bom/pom.xml");

    static MavenProject in(Path folder, String pom) throws IOException {
        MavenProject project = new MavenProject(folder);
        project.write("pom.xml", pom);
        Matcher module = Pattern.compile("<artifactId>(headgate-[^<]+)</artifactId>")
                .matcher(Pages.read(Pages.ROOT.resolve("headgate-bom/pom.xml")));
        project.publish("headgate-parent", Pages.ROOT.resolve("pom.xml"));
        while (module.find()) {
            project.publish(module.group(1), Pages.ROOT.resolve(module.group(1) + "/pom.xml"));
        }
        return project;
    }

    void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** Puts a module into the project's repository, as it has been packaged. */
    private void publish(String module, Path pom) throws IOException {
        Path place = repository().resolve("io/headgate").resolve(module).resolve(VERSION);
        String name = module + "-" + VERSION;
        Files.createDirectories(place);
        Files.copy(pom, place.resolve(name + ".pom"));
        Path jar = pom.resolveSibling("target").resolve(name + ".jar");
        if (Files.exists(jar)) {
            Files.copy(jar, place.resolve(name + ".jar"));
        }
    }

    private Path repository() {
        return folder.resolve("repository");
    }

    /** A goal of a plugin, in the version that this build uses. */
    static String goal(String group, String plugin, String goal) {
        String version = find("<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)</version>", "pom.xml");
        return group + ":" + plugin + ":" + version + ":" + goal;
    }

    static String find(String pattern, String file) {
        Matcher found = Pattern.compile(pattern).matcher(Pages.read(Pages.ROOT.resolve(file)));
        if (!found.find()) {
            throw new AssertionError(file + " has no " + pattern);
        }
        return found.group(1);
    }

    /** Runs Maven until it ends or is closed. */
    Run run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        String script = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";
        command.add(Path.of(told("maven.home"), "bin", script).toString());
        command.add("--batch-mode");
        command.add("--quiet");
        if (told("maven.offline").equals("offline:true")) {
            command.add("--offline");
        }
        Path settings = Path.of(told("maven.settings").substring("file:".length()));
        if (Files.exists(settings)) {
            command.add("--settings=" + settings);
        }
        command.add("-Dmaven.repo.local=" + repository());
        command.add("-Dmaven.repo.local.tail=" + told("maven.repository"));
        command.addAll(arguments);
        ProcessBuilder maven =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new Run(maven.start());
    }

    /** What the POM of this module tells. */
    private static String told(String property) {
        return Objects.requireNonNull(System.getProperty(property), property + " is missing: run this test with Maven");
    }

    /** A running Maven. */
    static final class Run implements AutoCloseable {

        private final Process process;
        private final BufferedReader lines;
        private final StringBuilder output = new StringBuilder();

        Run(Process process) {
            this.process = process;
            this.lines = process.inputReader(StandardCharsets.UTF_8);
            CompletableFuture.delayedExecutor(4, TimeUnit.MINUTES)
                    .execute(process::destroyForcibly); // instead of hanging
        }

        /** What the pattern's group is in the first line of the output that has it. */
        String find(Pattern pattern) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                Matcher found = pattern.matcher(line);
                if (found.find()) {
                    return found.group(1);
                }
            }
            throw new AssertionError("Maven ended without " + pattern + ":\n" + output);
        }

        /** What Maven says until it ends; nothing if all is well. */
        String output() throws IOException {
            lines.lines().forEach(line -> output.append(line).append('\n'));
            return output.toString();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
