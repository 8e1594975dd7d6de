package io.headgate.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Creates temporary folders, all inside one root folder that is deleted when the process ends. */
final class Folders {

    private Folders() {}

    static Path root() {
        return Root.PATH;
    }

    static Path create(String prefix) {
        try {
            return Files.createTempDirectory(Root.PATH, prefix + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException e) {
            // A server that is shutting down may still write there; the folder is temporary in any case.
            System.getLogger(Folders.class.getName()).log(System.Logger.Level.DEBUG, "left behind: " + folder, e);
        }
    }

    private static final class Root {

        static final Path PATH = create();

        private static Path create() {
            try {
                Path root = Files.createTempDirectory("headgate-rig-");
                Exit.last(() -> delete(root));
                return root;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
