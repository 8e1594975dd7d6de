package io.headgate.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The redis-server executable to run: the one that {@code -Dredis.server} names, otherwise the one on the class path. */
final class Executable {

    private static final String VERSION = "7.0.15";

    private Executable() {}

    static Path path() {
        String named = System.getProperty("redis.server", "");
        if (named.isEmpty()) {
            return Unpacked.PATH;
        }
        Path path = Path.of(named).toAbsolutePath();
        if (!Files.isExecutable(path)) {
            throw new IllegalArgumentException("redis.server is '" + named + "', which is not an executable file");
        }
        return path;
    }

    /** The name of the class path resource with the server for this operating system and processor. */
    static String resource() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch");
        String system = os.contains("linux") ? "linux" : os.contains("mac") ? "darwin" : os;
        String processor = arch.equals("x86_64") || arch.equals("amd64") ? "amd64" : "arm64";
        return "/redis-server-" + VERSION + "-" + system + "-" + processor;
    }

    /** Holds the path of the unpacked server, which is copied once per process. */
    private static final class Unpacked {

        static final Path PATH = unpack();

        private static Path unpack() {
            Path target = Folders.create("bin").resolve("redis-server");
            try (InputStream binary = Executable.class.getResourceAsStream(resource())) {
                if (binary == null) {
                    throw new IllegalStateException("there is no " + resource()
                            + " on the class path; name a server with -Dredis.server=<path>");
                }
                Files.copy(binary, target);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (!target.toFile().setExecutable(true)) {
                throw new IllegalStateException("cannot make " + target + " executable");
            }
            return target;
        }
    }
}
