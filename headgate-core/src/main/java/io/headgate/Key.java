package io.headgate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names the state of one subject under one rule. Two keys are equal only if both parts are: the parts are not joined, so no
 * choice of subject can reach the state of another rule.
 *
 * @param scope what is limited: the rule, or the name of a limiter
 * @param subject who is limited; never empty
 */
public record Key(String scope, String subject) {

    public Key {
        Objects.requireNonNull(scope, "scope");
        if (subject == null || subject.isEmpty()) {
            throw new IllegalArgumentException("a key must not be " + (subject == null ? "null" : "empty"));
        }
    }

    // Written by hand: every check looks up a key, and the methods generated for a record are not inlined there.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof Key key && subject.equals(key.subject) && scope.equals(key.scope));
    }

    @Override
    public int hashCode() {
        return 31 * scope.hashCode() + subject.hashCode();
    }
}
