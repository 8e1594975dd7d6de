package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.client.ExpectedCount.manyTimes;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

import io.headgate.Headgate;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.spring.client.OutgoingRequestInterceptor;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.web.client.RestClient;

/** The page on calls that go out does what it says. */
class OutgoingTest {

    @Test
    void aClientThatIsBuiltByHandIsLimited() {
        OutgoingLimits limits = OutgoingLimits.of(
                Headgate.builder().build(),
                OutgoingClient.named("payments").hosts("api.example.com").limits("1/min"));
        RestClient.Builder builder = new Outgoing.Clients()
                .payments(new OutgoingRequestInterceptor(limits))
                .mutate();
        MockRestServiceServer server = MockRestServiceServer.bindTo(builder).build();
        server.expect(manyTimes(), requestTo("https://api.example.com/invoices/7"))
                .andRespond(withSuccess("paid", MediaType.TEXT_PLAIN));
        RestClient payments = builder.build();

        assertThat(Outgoing.invoice(payments, 7)).isEqualTo("paid");
        assertThat(Outgoing.invoice(payments, 7)).matches("try again in (59|60) s");
    }

    @Test
    void worksWithoutSpring() throws InterruptedException {
        Outgoing.Plain plain = Outgoing.plain();
        assertThat(plain.http()).isInstanceOf(HttpClient.class);
        assertThat(Outgoing.other(plain.limits(), () -> 429)).isEqualTo(429);
        assertThat(Outgoing.other(plain.limits(), () -> 200)).isEqualTo(200); // a second later
    }

    @Test
    void aClientWithoutLimitsThatDoesNotLearnIsAMistake() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> OutgoingLimits.of(
                        Headgate.builder().build(),
                        OutgoingClient.named("payments")
                                .hosts("api.example.com")
                                .learn(false)))
                .withMessageContaining("it would limit nothing");
    }
}
