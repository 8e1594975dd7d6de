package io.headgate.http;

import io.headgate.Decision;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A listener that is also told who was denied. It is always {@linkplain #quick quick}. */
public interface DenialListener extends DecisionListener {

    /**
     * Called after each decision that does not allow a request.
     *
     * @param rule the name of the rule
     * @param enforced whether the decision was applied to the request; {@code false} for a shadow rule
     * @param who resolves the subject of the request once more, only during this call; {@code null} if it has none
     */
    void denied(String rule, Decision decision, boolean enforced, Supplier<Subject.@Nullable Present> who);

    @Override
    default void decided(String scope, Decision decision, boolean enforced) {}

    @Override
    default boolean quick() {
        return true;
    }
}
