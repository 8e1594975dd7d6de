package io.headgate.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs the same main class in several JVMs at once, on the class path of this JVM.
 *
 * <p>Each JVM gets its number, from 0, followed by the arguments. Its output is collected. It receives the lines of {@link #tell}
 * with {@link #awaitWord}, so that all JVMs can start together:
 *
 * <pre>{@code
 * try (Processes four = Processes.fork(4, Client.class, redis.uri())) {
 *     four.awaitLine("ready");
 *     four.tell("go");
 *     List<List<String>> printed = four.finish(Duration.ofSeconds(30));
 * }
 * }</pre>
 *
 * <p>The JVMs end with this process, however it ends: a JVM halts when its standard input ends.
 */
public final class Processes implements AutoCloseable {

    private static final BlockingQueue<String> WORDS = new LinkedBlockingQueue<>();

    private final List<Process> processes = new ArrayList<>();
    private final List<List<String>> printed = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();

    private Processes() {}

    /** Starts the JVMs. */
    public static Processes fork(int count, Class<?> main, String... arguments) {
        return fork(count, main, List.of(), arguments);
    }

    /** Starts the JVMs with additional JVM options. */
    public static Processes fork(int count, Class<?> main, List<String> options, String... arguments) {
        Processes forked = new Processes();
        Exit.closes(forked);
        try {
            for (int i = 0; i < count; i++) {
                forked.start(i, main, options, arguments);
            }
            return forked;
        } catch (IOException e) {
            forked.close();
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next line that {@link #tell} sends. To be called within a forked JVM. */
    public static String awaitWord() throws InterruptedException {
        return WORDS.take();
    }

    /** Waits up to 30 seconds until each process has printed a line with this beginning. */
    public void awaitLine(String beginning) {
        awaitLine(beginning, Duration.ofSeconds(30));
    }

    /** Waits until each process has printed a line with this beginning. */
    public void awaitLine(String beginning, Duration atMost) {
        Patience.until(atMost, "every process prints '" + beginning + "'", () -> {
            for (int i = 0; i < processes.size(); i++) {
                if (lines(i).stream().noneMatch(line -> line.startsWith(beginning))) {
                    if (!processes.get(i).isAlive()) {
                        throw failure(i, "has ended");
                    }
                    return false;
                }
            }
            return true;
        });
    }

    /** Sends a line to each process. */
    public void tell(String word) {
        for (Process process : processes) {
            try {
                process.getOutputStream().write((word + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException("a process does not listen", e);
            }
        }
    }

    /** Waits until each process has ended with exit status 0 and returns what each has printed. */
    public List<List<String>> finish(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            for (int i = 0; i < processes.size(); i++) {
                if (!processes.get(i).waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw failure(i, "did not end within " + atMost);
                }
                readers.get(i).join();
                if (processes.get(i).exitValue() != 0) {
                    throw failure(i, "ended with " + processes.get(i).exitValue());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < processes.size(); i++) {
            all.add(lines(i));
        }
        return all;
    }

    /** Kills the processes that are still running. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            process.onExit().join();
        }
        Exit.forget(this);
    }

    /** The process with this number, for tests that end it in another way. */
    Process process(int number) {
        return processes.get(number);
    }

    private void start(int number, Class<?> main, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(options);
        command.addAll(List.of(Fork.class.getName(), main.getName(), String.valueOf(number)));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        Thread reader = new Thread(() -> read(process, lines), "headgate-rig-output-" + number);
        reader.setDaemon(true);
        reader.start();
        processes.add(process);
        printed.add(lines);
        readers.add(reader);
    }

    private static void read(Process process, List<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            // the process was killed
        }
    }

    /** The lines that the process with this number has printed so far. */
    public List<String> lines(int number) {
        List<String> lines = printed.get(number);
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    private IllegalStateException failure(int number, String what) {
        return new IllegalStateException(
                "process " + number + " " + what + " and has printed:\n" + String.join("\n", lines(number)));
    }

    /** The entry point of a forked JVM, which runs the given main class. */
    static final class Fork {

        private static final int ABANDONED = 3;

        private Fork() {}

        public static void main(String[] arguments) throws Exception {
            Thread listener = new Thread(Fork::listen, "headgate-rig-words");
            listener.setDaemon(true);
            listener.start();
            String[] rest = List.of(arguments).subList(1, arguments.length).toArray(String[]::new);
            var main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) rest);
        }

        private static void listen() {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    WORDS.add(line);
                }
            } catch (IOException e) {
                // the same as the end of the input
            }
            Runtime.getRuntime().halt(ABANDONED);
        }
    }
}
