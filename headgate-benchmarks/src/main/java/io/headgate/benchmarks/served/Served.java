package io.headgate.benchmarks.served;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of an {@link Application}. */
final class Served implements AutoCloseable {

    final Endpoint floor;
    final Endpoint other;

    private final Process process;

    /** One of the two endpoints and its front. */
    record Endpoint(Front front, int port) {}

    private Served(Endpoint floor, Endpoint other, Process process) {
        this.floor = floor;
        this.other = other;
        this.process = process;
    }

    static Served start(Front floor, Front front, int redis) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Application.class.getName(),
                floor.name(),
                front.name(),
                Integer.toString(redis));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(Application.STARTED)) {
                String[] ports = line.substring(Application.STARTED.length()).split(" ", -1);
                return new Served(
                        new Endpoint(floor, Integer.parseInt(ports[0])),
                        new Endpoint(front, Integer.parseInt(ports[1])),
                        process);
            }
        }
        throw new IOException("the application behind " + front.label + " did not start");
    }

    /** The processor time of the process, with a resolution of some milliseconds. */
    long cpuNanos() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(
                        () -> new IllegalStateException("the application behind " + other.front.label + " has ended"))
                .toNanos();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close(); // this ends the process
        process.onExit()
                .orTimeout(10, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly())
                .join();
    }
}
