package io.headgate.guide;

import io.headgate.Headgate;
import io.headgate.http.client.LimitedHttpClient;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimitException;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.http.client.OutgoingPermit;
import io.headgate.spring.client.OutgoingRequestInterceptor;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.web.client.RestClient;

/** What the page on calls that go out shows. */
final class Outgoing {

    private Outgoing() {}

    static final class Clients {

        // snippet
        @Bean
        RestClient payments(OutgoingRequestInterceptor limits) {
            return RestClient.builder()
                    .baseUrl("https://api.example.com")
                    .requestInterceptor(limits)
                    .build();
        }
        // end
    }

    static @Nullable String invoice(RestClient payments, int id) {
        // snippet
        try {
            return payments.get().uri("/invoices/{id}", id).retrieve().body(String.class);
        } catch (OutgoingLimitException e) {
            return "try again in " + e.retryAfter().toSeconds() + " s"; // e.client() is "payments"
        }
        // end
    }

    record Plain(OutgoingLimits limits, HttpClient http) {}

    static Plain plain() {
        // snippet
        OutgoingLimits limits = OutgoingLimits.of(
                Headgate.builder().build(),
                OutgoingClient.named("payments")
                        .hosts("api.example.com")
                        .limits("50/s")
                        .maxWait(Duration.ofSeconds(2)));
        HttpClient http = new LimitedHttpClient(HttpClient.newHttpClient(), limits);
        // end
        return new Plain(limits, http);
    }

    static int other(OutgoingLimits limits, IntSupplier call) throws InterruptedException {
        // snippet
        OutgoingPermit permit = limits.client("payments").acquire("api.example.com");
        int status = call.getAsInt();
        permit.answered(status, name -> null); // what the header of that name says
        // end
        return status;
    }
}
