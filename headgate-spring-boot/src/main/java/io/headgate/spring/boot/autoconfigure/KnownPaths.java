package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.rule.PathOverlap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;

/**
 * The paths that the application answers, as far as it can tell.
 *
 * @param bases what comes before every path of a request and is no part of it for a rule: the context path, for example
 * @param templates the paths of handlers as declared; {@code /**} for a handler that may answer any path
 * @param files whether there is a static file or directory that the pattern may be about
 */
record KnownPaths(List<String> bases, List<String> templates, Predicate<String> files) {

    /** The template of a handler that may answer any path. */
    static final String ANY = "/**";

    /** Collects the paths that an application answers. */
    static final class Builder {

        private final List<String> templates = new ArrayList<>();
        private final StaticFiles files = new StaticFiles();

        /** Begins with the actuator endpoints on a port of their own, whose handlers this application does not know. */
        Builder(Environment environment) {
            if (environment.containsProperty("management.server.port")) {
                add(environment.getProperty("management.endpoints.web.base-path", "/actuator") + ANY);
            }
        }

        void add(String template) {
            templates.add(template);
        }

        /** Adds a handler of static files. One for any path counts only where there are files. */
        void addFiles(String pattern, List<?> resolvers, List<Resource> locations) {
            if (pattern.equals(ANY) && StaticFiles.onlyFiles(resolvers)) {
                files.add(locations);
            } else {
                add(pattern);
            }
        }

        /** The paths, with what comes before every path, alone or together. Both may be empty. */
        KnownPaths build(String outer, String inner) {
            List<String> bases = Stream.of(outer + inner, outer, inner) // longest first
                    .map(base -> base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
                    .filter(base -> !base.isEmpty())
                    .distinct()
                    .toList();
            return new KnownPaths(bases, templates, files);
        }
    }

    boolean mayAnswer(String pattern) {
        return files.test(pattern) || templates.stream().anyMatch(each -> PathOverlap.possible(pattern, each));
    }

    /** A handler that the pattern would match if case did not matter. */
    Optional<String> inAnotherCase(String pattern) {
        return templates.stream()
                .filter(each -> PathOverlap.possible(lower(pattern), lower(each)))
                .min(closestTo(pattern));
    }

    Optional<String> closest(String pattern) {
        return templates.stream().min(closestTo(pattern));
    }

    private static Comparator<String> closestTo(String pattern) {
        String text = lower(pattern.replaceAll("(/\\*\\*?)+$", ""));
        return Comparator.<String>comparingInt(each -> distance(text, lower(each)))
                .thenComparing(Comparator.naturalOrder());
    }

    private static String lower(String path) {
        return path.toLowerCase(Locale.ROOT);
    }

    /** The number of characters to insert, remove or replace to get from one text to the other. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int o = 0; o <= other.length(); o++) {
            row[o] = o;
        }
        for (int s = 1; s <= one.length(); s++) {
            int diagonal = row[0];
            row[0] = s;
            for (int o = 1; o <= other.length(); o++) {
                int replaced = diagonal + (one.charAt(s - 1) == other.charAt(o - 1) ? 0 : 1);
                diagonal = row[o];
                row[o] = Math.min(replaced, Math.min(row[o], row[o - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
