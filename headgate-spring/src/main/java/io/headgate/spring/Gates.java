package io.headgate.spring;

import io.headgate.http.Gate;
import java.util.Objects;

/**
 * The two gates that a request passes.
 *
 * @param filter the gate in front of everything, including Spring Security
 * @param handler the gate right before the handler
 */
public record Gates(Gate filter, Gate handler) {

    public Gates {
        Objects.requireNonNull(filter, "filter");
        Objects.requireNonNull(handler, "handler");
    }
}
