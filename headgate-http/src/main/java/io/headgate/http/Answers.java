package io.headgate.http;

import java.util.function.BiConsumer;

/** Renders a {@link Verdict} for the client: headers on every limited response, and the status and body of a denial. */
public interface Answers {

    /** Passes the name and value of each header to the consumer, for requests that pass and for those that are denied. */
    void headers(Verdict verdict, BiConsumer<String, String> header);

    /** The status of a denial. */
    int status(Verdict denial);

    /** The media type of the {@link #body}. */
    String contentType();

    /** The body of a denial. */
    String body(Verdict denial);
}
