package io.headgate.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Thrown for a setting that stops the start-up. Names the property, its value, the problem and the remedy. */
final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    InvalidSettingException(
            String property, @Nullable Object value, String problem, String remedy, @Nullable Throwable cause) {
        super(property + (value == null ? "" : " = " + value) + ": " + problem, cause);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
