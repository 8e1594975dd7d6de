package io.headgate.http;

import java.util.List;

/** Thrown when rules cannot be put in force; lists every problem of every rule. */
public final class InvalidRulesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // always an immutable list of strings
    private final List<String> problems;

    public InvalidRulesException(List<String> problems) {
        super("the rules have " + (problems.size() == 1 ? "a problem" : problems.size() + " problems") + ":\n- "
                + String.join("\n- ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each problem in a sentence that names the rule, the value and what is allowed. */
    public List<String> problems() {
        return problems;
    }
}
