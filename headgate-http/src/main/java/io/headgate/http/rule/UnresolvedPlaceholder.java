package io.headgate.http.rule;

import java.util.regex.Pattern;

/** Recognizes placeholders that nobody has filled in, and says what to do about them. */
public final class UnresolvedPlaceholder {

    /** A text that is one placeholder without a default. */
    private static final Pattern ALONE = Pattern.compile("\\$\\{[^${}:]+}");

    private UnresolvedPlaceholder() {}

    public static boolean in(String text) {
        return text.contains("${");
    }

    /**
     * The problem of a text with a placeholder, such as "has an unresolved placeholder; set it".
     *
     * @param example a valid value of the property
     */
    public static String problem(String text, String example) {
        String withDefault = ALONE.matcher(text).matches()
                ? text.substring(0, text.length() - 1) + ":" + example + "}"
                : "${LIMIT:100/min}";
        return "has an unresolved placeholder; set it or give it a default as in " + withDefault;
    }

    /** The same for a property of a rule, which may be written where placeholders are not resolved. */
    public static String problemOfRule(String text, String example) {
        return problem(text, example) + ", or, in a rule file or table, write the value";
    }
}
