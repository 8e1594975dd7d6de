package io.headgate.benchmarks.served;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of an {@link Application}. */
final class Served implements AutoCloseable {

    final Front front;
    final int port;

    private final Process process;

    private Served(Front front, int port, Process process) {
        this.front = front;
        this.port = port;
        this.process = process;
    }

    static Served start(Front front, int redis) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Application.class.getName(),
                front.name(),
                Integer.toString(redis));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(Application.STARTED)) {
                return new Served(front, Integer.parseInt(line.substring(Application.STARTED.length())), process);
            }
        }
        throw new IOException("the application behind " + front.label + " did not start");
    }

    /** How long its process has been on a processor. */
    long cpuNanos() {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close(); // which ends it
        process.onExit()
                .orTimeout(10, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly())
                .join();
    }
}
