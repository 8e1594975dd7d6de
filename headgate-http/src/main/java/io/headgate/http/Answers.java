package io.headgate.http;

import java.util.function.BiConsumer;

/** What a client is told: headers on every limited response, and status and body of a refusal. */
public interface Answers {

    /** Hands over the name and value of each header, for responses to requests that pass and to those that do not. */
    void headers(Verdict verdict, BiConsumer<String, String> header);

    /** The status of a refusal. */
    int status(Verdict refusal);

    /** The type of the {@link #body}. */
    String contentType();

    /** The body of a refusal. */
    String body(Verdict refusal);
}
