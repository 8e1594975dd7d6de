package io.headgate.http.rule;

import io.headgate.http.PathVariables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the variables of a rule's patterns stand for in a path, as Spring's {@code AntPathMatcher} does. The paths are split only
 * when a resolver asks for a variable.
 *
 * @param ignoreCase whether the patterns are in lower case and paths in any
 */
record PatternVariables(List<Variables> patterns, boolean ignoreCase) implements PathVariables {

    /** The variables of those patterns; {@code null} if they have none. */
    static @Nullable PatternVariables of(List<String> patterns, boolean ignoreCase) {
        List<Variables> all = patterns.stream()
                .filter(pattern -> pattern.indexOf('{') >= 0)
                .map(Variables::of)
                .toList();
        return all.isEmpty() ? null : new PatternVariables(all, ignoreCase);
    }

    @Override
    public @Nullable String value(String path, String name) {
        String folded = ignoreCase ? CompiledRules.lowerCase(path) : path;
        for (Variables pattern : patterns) {
            if (pattern.whole.matches(folded)) {
                String value = pattern.value(path, folded, ignoreCase ? CompiledRules.lowerCase(name) : name);
                if (value != null) {
                    return value;
                }
            }
        }
        return null;
    }

    /** One pattern, split at every {@code **}. */
    private record Variables(AntPattern whole, List<List<Part>> blocks) {

        static Variables of(String pattern) {
            AntPattern whole = AntPattern.parse(pattern);
            List<List<Part>> blocks = new ArrayList<>(List.of(new ArrayList<>()));
            int at = 0;
            for (Segment segment : whole.segments()) {
                at = Paths.next(pattern, at);
                int end = Paths.end(pattern, at);
                if (segment.anyNumber()) {
                    blocks.add(new ArrayList<>());
                } else {
                    SegmentVariables variables = SegmentVariables.of(pattern.substring(at, end));
                    blocks.get(blocks.size() - 1).add(new Part(segment, variables));
                }
                at = end;
            }
            return new Variables(whole, blocks);
        }

        @Nullable
        String value(String path, String folded, String name) {
            List<int[]> segments = segments(path);
            int from = 0;
            for (int b = 0; b < blocks.size(); b++) {
                List<Part> block = blocks.get(b);
                int last = Math.max(from, segments.size() - block.size());
                int at = b == 0 ? 0 : b == blocks.size() - 1 ? last : from;
                while (at < last && !fits(block, folded, segments, at)) {
                    at++; // as in AntPattern, the leftmost place after a "**" is as good as any other
                }
                for (int i = 0; i < block.size() && at + i < segments.size(); i++) {
                    int[] segment = segments.get(at + i);
                    String value = block.get(i).variables.value(path, folded, segment[0], segment[1], name);
                    if (value != null) {
                        return value;
                    }
                }
                from = at + block.size();
            }
            return null;
        }

        private static boolean fits(List<Part> block, String folded, List<int[]> segments, int at) {
            for (int i = 0; i < block.size(); i++) {
                int[] segment = segments.get(at + i);
                if (!block.get(i).segment.matches(folded, segment[0], segment[1])) {
                    return false;
                }
            }
            return true;
        }

        private static List<int[]> segments(String path) {
            List<int[]> segments = new ArrayList<>();
            for (int at = Paths.next(path, 0); at < path.length(); at = Paths.next(path, Paths.end(path, at))) {
                segments.add(new int[] {at, Paths.end(path, at)});
            }
            return segments;
        }
    }

    /** One segment of a pattern. */
    private record Part(Segment segment, SegmentVariables variables) {}
}
