package io.headgate.spring;

/** What serves the connection of a request, told to whoever answers it later: in the context of Reactor, as a scheduler. */
public final class EventLoop {

    /** The key it has there, if there may be something to wait for. */
    public static final String KEY = EventLoop.class.getName();

    private EventLoop() {}
}
