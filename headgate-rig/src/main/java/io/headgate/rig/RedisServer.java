package io.headgate.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server in a process of its own, on a loopback port that it keeps until it is closed.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.start()) {
 *     RedisClient client = RedisClient.create(redis.uri());
 *     redis.freeze();
 * }
 * }</pre>
 *
 * <p>No server outlives the tests: {@link #close} ends the process, and a shutdown hook ends servers that nobody closed. If this
 * process itself is killed, a shell that waits at the other end of a pipe ends them.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration REPLY = Duration.ofSeconds(5);

    /**
     * The shell script that becomes the server. A child shell stays behind: if the pipe to it closes before the farewell line has
     * come, it kills the server and removes the temporary folders. The pipe also closes after the server has ended by itself; then
     * there is nothing to kill, and the folders stay.
     */
    private static final String WATCHED = """
            folders="$1"; shift
            exec 3<&0 </dev/null
            (read -r farewell <&3 || { kill -9 $$ && rm -rf "$folders"; }) &
            exec 3<&-
            exec "$0" "$@"
            """;

    private final RedisSettings settings;
    private final int port;
    private final Path folder;
    private @Nullable Process process;

    RedisServer(RedisSettings settings, int port) {
        this.settings = settings;
        this.port = port;
        this.folder = Folders.create("redis-" + port);
    }

    /** Starts an empty server without a password and without persistence. */
    public static RedisServer start() {
        return with().start();
    }

    /** Returns the settings of a server that is not started yet. */
    public static RedisSettings with() {
        return new RedisSettings();
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** The URI for clients, with the password and the database. */
    public String uri() {
        String login = settings.password == null ? "" : ":" + settings.password + "@";
        return "redis://" + login + host() + ":" + port + (settings.database == 0 ? "" : "/" + settings.database);
    }

    /** The URI for clients that use TLS; needs {@link RedisSettings#tls}. */
    public String tlsUri() {
        return uri().replace("redis://", "rediss://").replace("127.0.0.1:" + port, "localhost:" + (port + 1));
    }

    /** The certificate to trust, as a PEM file; needs {@link RedisSettings#tls}. */
    public Path certificate() {
        return Objects.requireNonNull(settings.certificate, "the server has no TLS")
                .certificate();
    }

    /** Sends one command over a connection of its own; see {@link Resp} for the types of the reply. */
    public @Nullable Object command(String... words) {
        try (Resp connection = connect(REPLY)) {
            return connection.command(words);
        } catch (IOException e) {
            throw new UncheckedIOException(words[0] + " to " + this + " failed", e);
        }
    }

    /** The value of one field of {@code INFO}, such as {@code role}; empty if the field does not exist. */
    public String info(String section, String name) {
        String all = String.valueOf(command("INFO", section));
        return all.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** How often the command was executed since the start or {@code CONFIG RESETSTAT}, including executions by scripts. */
    public long calls(String command) {
        String statistics = info("commandstats", "cmdstat_" + command);
        return statistics.isEmpty() ? 0 : Long.parseLong(statistics.replaceAll("^calls=(\\d+),.*", "$1"));
    }

    /** The processor time that the server has used. */
    public Duration cpuTime() {
        double seconds =
                Double.parseDouble(info("cpu", "used_cpu_sys")) + Double.parseDouble(info("cpu", "used_cpu_user"));
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    public synchronized boolean running() {
        return process != null && process.isAlive();
    }

    /** Suspends the server until {@link #thaw}; its connections stay open. */
    public void freeze() {
        signal("STOP");
    }

    /** Resumes the server, which first executes the requests that arrived in the meantime. */
    public void thaw() {
        signal("CONT");
    }

    /** Kills the process at once, without an orderly shutdown; nothing is saved. */
    public synchronized void kill() {
        if (process != null) {
            release(process);
            process.destroyForcibly();
            end(process);
        }
    }

    /** Shuts the server down and saves its data, which is available again after {@link #restart}. */
    public synchronized void stop() {
        Process running = Objects.requireNonNull(process, "the server was closed");
        release(running);
        try (Resp connection = connect(REPLY)) {
            connection.command("SHUTDOWN", "SAVE");
        } catch (IOException e) {
            // expected: the server closes the connection instead of replying
        }
        end(running);
    }

    /** Starts the server again on its port, with the data that {@link #stop} has saved. Does nothing if it is running. */
    public synchronized void restart() {
        if (running()) {
            return;
        }
        try {
            Path config = folder.resolve("redis.conf");
            if (Files.notExists(config)) { // a Sentinel changes its file
                Files.write(config, configuration());
            }
            List<String> command = new ArrayList<>(List.of("sh", "-c", WATCHED));
            command.add(Executable.path().toString());
            command.add(Folders.root().toString());
            command.add(config.toString());
            command.addAll(settings.options);
            Process started = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
            process = started;
            Exit.closes(this);
            awaitAnswer(started);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Restarts the server on its port without data. */
    public synchronized void restartEmpty() {
        kill();
        try {
            Files.deleteIfExists(folder.resolve("dump.rdb"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    /** Ends the server for good and releases its port. */
    @Override
    public synchronized void close() {
        kill();
        process = null;
        Exit.forget(this);
        Folders.delete(folder);
        Ports.giveBack(port);
    }

    /** The log of the server since its last start. */
    public String logText() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return folder.resolve("redis.log");
    }

    private List<String> configuration() {
        List<String> lines = new ArrayList<>();
        lines.add("port " + port);
        if (settings.certificate != null) {
            lines.add("tls-port " + (port + 1));
        }
        lines.add("dir " + folder);
        settings.values.forEach((name, value) -> lines.add(name + " " + value));
        lines.addAll(settings.users);
        return lines;
    }

    private void awaitAnswer(Process started) {
        Patience.until(START, this + " answers", () -> {
            if (!started.isAlive()) {
                throw new IllegalStateException(this + " did not start:\n" + logText());
            }
            try (Resp connection = connect(REPLY)) {
                return "PONG".equals(connection.command("PING"));
            }
        });
    }

    private Resp connect(Duration timeout) throws IOException {
        Resp connection = Resp.connect(port, timeout);
        try {
            if (settings.password != null) {
                connection.command("AUTH", settings.password);
            }
            if (settings.database != 0) {
                connection.command("SELECT", String.valueOf(settings.database));
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private synchronized void signal(String name) {
        Process running = Objects.requireNonNull(process, "the server was closed");
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " \"$0\"", String.valueOf(running.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " of " + this + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Ends the watching shell, before the process id that it would kill can belong to another process. */
    private static void release(Process running) {
        try (var pipe = running.getOutputStream()) {
            pipe.write("farewell\n".getBytes(UTF_8));
        } catch (IOException e) {
            // the shell has ended already
        }
    }

    private void end(Process running) {
        try {
            if (!running.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(this + " does not end");
            }
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Redis on port " + port;
    }
}
