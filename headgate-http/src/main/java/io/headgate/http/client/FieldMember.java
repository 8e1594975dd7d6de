package io.headgate.http.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A member of a list in a header, such as {@code "api";q=100;w=60} or {@code remaining=3}. Read leniently: drafts and servers differ in
 * what they write, and what cannot be used is told when it is used.
 *
 * @param name the member itself, without quotes, or the part before its {@code =}
 * @param value the part after its {@code =}; empty if there is none
 * @param parameters what follows the semicolons
 */
record FieldMember(String name, String value, Map<String, String> parameters) {

    /** A longer header tells nothing that is worth reading. */
    private static final int LONGEST = 4_000;

    private static final int MOST_MEMBERS = 8;

    /** The first few members of the list. */
    static List<FieldMember> list(String header) {
        List<FieldMember> members = new ArrayList<>(2);
        if (header.length() <= LONGEST) {
            for (String written : split(header, ',')) {
                if (members.size() < MOST_MEMBERS && !written.isBlank()) {
                    members.add(of(split(written, ';')));
                }
            }
        }
        return members;
    }

    private static FieldMember of(List<String> parts) {
        Map<String, String> parameters = new HashMap<>(4);
        for (int i = 1; i < parts.size(); i++) {
            String part = parts.get(i);
            int sign = part.indexOf('=');
            if (sign > 0) {
                parameters.putIfAbsent(part.substring(0, sign).trim(), bare(part.substring(sign + 1)));
            }
        }
        String first = parts.get(0).trim();
        int sign = first.startsWith("\"") ? -1 : first.indexOf('=');
        return sign < 0
                ? new FieldMember(bare(first), "", parameters)
                : new FieldMember(first.substring(0, sign).trim(), bare(first.substring(sign + 1)), parameters);
    }

    private static String bare(String text) {
        String plain = text.trim();
        return plain.length() >= 2 && plain.startsWith("\"") && plain.endsWith("\"")
                ? plain.substring(1, plain.length() - 1)
                : plain;
    }

    /** The parts between separators that are not in quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>(4);
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
