package io.headgate.http.subject;

import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Combines several subjects into one; absent if one of them is. Each part is written with its length, so that different
 * combinations never have the same value.
 */
record CombinedSubject(List<SubjectResolver> parts) implements SubjectResolver {

    CombinedSubject {
        parts = List.copyOf(parts);
    }

    @Override
    public @Nullable String needs() {
        return joined(parts, " and ");
    }

    /** What these resolvers need, as far as they tell; {@code null} if none of them does. */
    static @Nullable String joined(List<SubjectResolver> resolvers, String conjunction) {
        String needs = resolvers.stream()
                .map(SubjectResolver::needs)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(conjunction));
        return needs.isEmpty() ? null : needs;
    }

    @Override
    public Subject resolve(RequestView request) {
        StringBuilder all = new StringBuilder();
        for (SubjectResolver part : parts) {
            Subject subject = part.resolve(request);
            if (!(subject instanceof Subject.Present present)) {
                return subject;
            }
            String text = present.text();
            all.append(text.length()).append(':').append(text);
        }
        return Subject.of("together", all.toString());
    }
}
