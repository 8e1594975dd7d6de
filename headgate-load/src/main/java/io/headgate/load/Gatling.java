package io.headgate.load;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** Runs the simulation {@link Requests} in a JVM of its own. */
final class Gatling {

    private static final int AT_MOST_SECONDS = 180;

    private Gatling() {}

    static Totals run(Map<String, String> settings) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("headgate-load");
        Path totals = folder.resolve("totals");
        File log = folder.resolve("log").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dgatling.data.utf8=true",
                "-D" + Requests.TOTALS + "=" + totals));
        settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(
                List.of("io.gatling.app.Gatling", "-s", Requests.class.getName(), "-nr", "-rf", folder.toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        if (!process.waitFor(AT_MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("Gatling did not end within " + AT_MOST_SECONDS + " s, see " + log);
        }
        if (!Files.exists(totals)) {
            throw new IllegalStateException("Gatling ended with " + process.exitValue() + ", see " + log);
        }
        Totals told = Totals.read(totals);
        FileSystemUtils.deleteRecursively(folder); // kept only after a failure
        return told;
    }
}
