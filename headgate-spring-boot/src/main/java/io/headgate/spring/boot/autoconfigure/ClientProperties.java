package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.http.client.OutgoingClient;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A client as it is written in YAML. Its properties are those of {@link OutgoingClient}.
 *
 * @param name Name of the client, such as payments; it identifies the budget, also for other instances.
 * @param hosts Hosts that the client sends to, such as api.example.com, *.example.com or *.
 * @param perHost Whether each host has a budget of its own.
 * @param limits Limits such as "50/s"; all limits of a list apply. If empty, only what the server says applies.
 * @param algorithm Algorithm of every limit that names none; by default that of the application.
 * @param maxWait How long a request waits for a permit before it fails.
 * @param learn Whether answers of the server count, such as 429 and RateLimit.
 * @param maxPause Longest time that a server can make requests wait.
 * @param onStoreFailure What happens to a request when the store cannot answer: open, closed or local; by default that of the
 *     application.
 */
public record ClientProperties(
        @DefaultValue("") String name,
        @DefaultValue List<String> hosts,
        @DefaultValue("false") boolean perHost,
        @DefaultValue List<String> limits,
        @Nullable String algorithm,
        @DefaultValue("0s") Duration maxWait,
        @DefaultValue("true") boolean learn,
        @DefaultValue("1h") Duration maxPause,
        @Nullable FailurePolicy onStoreFailure) {

    /** The client, with the application's failure policy if it has none of its own. */
    OutgoingClient client(FailurePolicy usual) {
        return new OutgoingClient(
                name,
                hosts,
                perHost,
                limits,
                algorithm,
                maxWait,
                learn,
                maxPause,
                onStoreFailure != null ? onStoreFailure : usual);
    }
}
