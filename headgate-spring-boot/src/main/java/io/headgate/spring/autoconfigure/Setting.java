package io.headgate.spring.autoconfigure;

import java.util.function.Function;

/** One property that is made use of. */
final class Setting {

    private Setting() {}

    /** What comes of a value. One that is refused stops the start-up, and is named with its property. */
    static <T, R> R use(String property, T value, Function<? super T, R> step) {
        try {
            return step.apply(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    property,
                    value,
                    String.valueOf(e.getMessage()),
                    "Change " + property + " to a value that is allowed.",
                    e);
        }
    }
}
