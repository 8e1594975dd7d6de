package io.headgate.spring;

import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

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

    /**
     * Where a request has to stop that has come to a handler: at the rules of both stages. A forward, or somebody who has written
     * its path anew, may have led it there past the filter; what the filter has charged is {@link Progress}.
     */
    public List<Checkpoint> match(RequestView handled) {
        List<Checkpoint> early = filter.match(handled);
        List<Checkpoint> late = handler.match(handled);
        return early.isEmpty()
                ? late
                : Stream.concat(early.stream(), late.stream()).toList();
    }
}
