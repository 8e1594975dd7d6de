package io.headgate.spring.servlet;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads parameters from the query of a URL. */
final class QueryString {

    private QueryString() {}

    /** The values of the parameter, decoded; empty if it is missing. A parameter without {@code =} has an empty value. */
    static List<String> values(@Nullable String query, String name) {
        if (query == null || query.isEmpty()) {
            return List.of();
        }
        List<String> values = new ArrayList<>(1);
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    /** The decoded text; the text itself if it is malformed. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
