package io.headgate.spring.boot.autoconfigure;

import java.util.function.Function;

/** Applies the values of properties. */
final class Setting {

    private Setting() {}

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
