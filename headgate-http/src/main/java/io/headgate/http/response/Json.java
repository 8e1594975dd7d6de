package io.headgate.http.response;

/** Writes a JSON object member by member. */
final class Json {

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder text = new StringBuilder(512).append('{');

    Json member(String name, String value) {
        return name(name).string(value);
    }

    Json member(String name, long value) {
        name(name).text.append(value);
        return this;
    }

    Json member(String name, Iterable<String> values) {
        name(name).text.append('[');
        String comma = "";
        for (String value : values) {
            text.append(comma);
            string(value);
            comma = ",";
        }
        text.append(']');
        return this;
    }

    String end() {
        return text.append('}').toString();
    }

    private Json name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        string(name).text.append(':');
        return this;
    }

    /**
     * Writes a string. Besides what JSON requires, escapes characters that could end a script element or a line of JavaScript, and
     * everything beyond ASCII, including lone surrogates.
     */
    private Json string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
                text.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    text.append(HEX.charAt((c >> shift) & 15));
                }
            } else {
                text.append(c);
            }
        }
        text.append('"');
        return this;
    }
}
