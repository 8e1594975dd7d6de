package io.headgate.spring;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Applications that the tests of a class share, by what differs between them; each starts when it is first asked for. */
public final class Applications<T> implements AutoCloseable {

    private final Map<T, Running> running = new HashMap<>();
    private final Function<T, Running> start;

    public Applications(Function<T, Running> start) {
        this.start = start;
    }

    public Running get(T which) {
        return running.computeIfAbsent(which, start);
    }

    @Override
    public void close() {
        running.values().forEach(Running::close);
    }
}
