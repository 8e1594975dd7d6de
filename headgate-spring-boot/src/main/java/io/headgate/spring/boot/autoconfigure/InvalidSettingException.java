package io.headgate.spring.boot.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown for settings that stop the start-up. Names each property, its value, the problem and the remedy. */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    InvalidSettingException(
            String property, @Nullable Object value, String problem, String remedy, @Nullable Throwable cause) {
        super(property + (value == null ? "" : " = " + value) + ": " + problem, cause);
        this.remedy = remedy;
    }

    /** @param problems each names the property and says what to write instead */
    public InvalidSettingException(List<String> problems) {
        super(
                problems.size() == 1
                        ? problems.get(0)
                        : "The configuration of Headgate has " + problems.size() + " problems:\n- "
                                + String.join("\n- ", problems));
        this.remedy = "Correct " + (problems.size() == 1 ? "the problem" : "the problems") + " described above.";
    }

    String remedy() {
        return remedy;
    }
}
