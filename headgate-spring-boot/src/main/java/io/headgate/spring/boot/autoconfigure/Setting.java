package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.http.LedgerFactory;
import java.util.function.Function;

/** Applies the values of properties. */
final class Setting {

    private static final String ALGORITHM = "headgate.algorithm";

    private Setting() {}

    /** Rejects an unknown algorithm. Only the store knows which algorithms there are. */
    static void checkAlgorithm(String id, LedgerFactory limiters) {
        Limit limit = Limit.parse("1/min");
        use(ALGORITHM, id, it -> limiters.bind(ALGORITHM, Plan.of(limit.using(it)), FailurePolicy.CLOSED));
    }

    /** The result of the step for that value. A rejected value stops the start-up with an error that names the property. */
    static <T, R> R use(String property, T value, Function<? super T, R> step) {
        try {
            return step.apply(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    property, value, String.valueOf(e.getMessage()), "Change " + property + " to an allowed value.", e);
        }
    }
}
