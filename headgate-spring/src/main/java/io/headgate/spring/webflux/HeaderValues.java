package io.headgate.spring.webflux;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Reads and removes all values of a header. In Spring Framework 6.2 {@link HttpHeaders} is a map, whose {@code get} and {@code remove} take
 * an {@code Object}; in 7 it is none, and they take a {@code String}. A call that is compiled against one does not link with the other.
 */
final class HeaderValues {

    private HeaderValues() {}

    @SuppressWarnings("unchecked")
    static @Nullable List<String> get(HttpHeaders headers, String name) {
        return (Object) headers instanceof Map<?, ?> map ? (List<String>) map.get(name) : NoMap.get(headers, name);
    }

    static void remove(HttpHeaders headers, String name) {
        if ((Object) headers instanceof Map<?, ?> map) {
            map.remove(name);
        } else {
            NoMap.remove(headers, name);
        }
    }

    /** Loaded only from Spring Framework 7 on. */
    private static final class NoMap {

        static @Nullable List<String> get(HttpHeaders headers, String name) {
            return headers.get(name);
        }

        static void remove(HttpHeaders headers, String name) {
            headers.remove(name);
        }
    }
}
