package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

class NativeRequestTest {

    /** {@code WebTestClient} bound to a context sends requests that no server has seen. */
    @Test
    void takesTheWordOfRequestsWithoutAServer() {
        InetSocketAddress peer = new InetSocketAddress("127.0.0.9", 9);
        MockServerHttpRequest request = MockServerHttpRequest.get("/")
                .remoteAddress(peer)
                .header("X-Key", "ann")
                .build();

        assertThat(NativeRequest.peer(request)).isEqualTo("127.0.0.9");
        assertThat(NativeRequest.headers(request, "X-Key")).containsExactly("ann");
        assertThat(NativeRequest.loop(request)).isNull();
    }
}
