package io.headgate.spring.boot.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.core.io.Resource;

/**
 * The static files of an application. Every application has a handler for them under {@code /**}, which does not answer every path:
 * it counts only where there are files.
 */
final class StaticFiles implements Predicate<String> {

    private final List<Resource> locations = new ArrayList<>();

    void add(List<Resource> more) {
        locations.addAll(more);
    }

    /** Whether resolvers only look for files: one that is not Spring's may answer any path, as for a page with routes of its own. */
    static boolean onlyFiles(List<?> resolvers) {
        return resolvers.stream().allMatch(each -> each.getClass().getName().startsWith("org.springframework.web."));
    }

    /** Whether there is a file or a directory of the pattern's beginning, up to its first wildcard; if that is empty, there may be. */
    @Override
    public boolean test(String pattern) {
        String beginning = pattern.replaceAll("^/+", "").replaceAll("(^|/)[^/]*[*?{].*$", "");
        return !locations.isEmpty()
                && (beginning.isEmpty() || locations.stream().anyMatch(each -> holds(each, beginning)));
    }

    private static boolean holds(Resource location, String path) {
        try {
            return location.createRelative(path).exists()
                    || location.createRelative(path + "/").exists();
        } catch (IOException | RuntimeException e) {
            return true;
        }
    }
}
