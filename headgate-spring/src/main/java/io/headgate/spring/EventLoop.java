package io.headgate.spring;

/** The event loop of a request's connection, kept in the Reactor context as a scheduler for code that answers the request later. */
public final class EventLoop {

    /** Its key in the context; present only if a verdict may have to be waited for. */
    public static final String KEY = EventLoop.class.getName();

    private EventLoop() {}
}
