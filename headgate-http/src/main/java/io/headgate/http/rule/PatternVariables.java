package io.headgate.http.rule;

import io.headgate.http.PathVariables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the variables of a rule's patterns stand for in a path, as Spring's {@code AntPathMatcher} does. The pattern says which of
 * its segments matches which part of the path, and {@link SegmentVariables} takes that part apart, when a resolver asks for a variable.
 *
 * @param ignoreCase whether the patterns are in lower case and paths in any
 */
record PatternVariables(List<Template> templates, boolean ignoreCase) implements PathVariables {

    /** A pattern, and the variables of each of its segments. */
    private record Template(AntPattern pattern, List<SegmentVariables> segments) {

        static Template of(String text) {
            AntPattern pattern = AntPattern.parse(text);
            List<SegmentVariables> segments = new ArrayList<>();
            for (int at = Paths.next(text, 0); at < text.length(); at = Paths.next(text, Paths.end(text, at))) {
                segments.add(SegmentVariables.of(text.substring(at, Paths.end(text, at))));
            }
            return new Template(pattern, segments);
        }
    }

    /** The variables of those patterns; {@code null} if they have none. */
    static @Nullable PatternVariables of(List<String> patterns, boolean ignoreCase) {
        List<Template> all = patterns.stream()
                .filter(pattern -> pattern.indexOf('{') >= 0)
                .map(Template::of)
                .toList();
        return all.isEmpty() ? null : new PatternVariables(all, ignoreCase);
    }

    @Override
    public @Nullable String value(String path, String name) {
        String matched = ignoreCase ? CompiledRules.lowerCase(path) : path;
        String variable = ignoreCase ? CompiledRules.lowerCase(name) : name;
        for (Template template : templates) {
            int[] places = template.pattern.places(matched);
            for (int i = 0; places != null && i < places.length; i++) {
                int from = places[i];
                String value = from < 0
                        ? null
                        : template.segments.get(i).value(path, matched, from, Paths.end(path, from), variable);
                if (value != null) {
                    return value;
                }
            }
        }
        return null;
    }
}
