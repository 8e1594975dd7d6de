package io.headgate.spring;

import io.headgate.http.Gate;
import java.util.Objects;

/**
 * The gates that requests pass.
 *
 * @param filter in front of everything, Spring Security too
 * @param handler right before the handler
 */
public record Gates(Gate filter, Gate handler) {

    public Gates {
        Objects.requireNonNull(filter, "filter");
        Objects.requireNonNull(handler, "handler");
    }
}
