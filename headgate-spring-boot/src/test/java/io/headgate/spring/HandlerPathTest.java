package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.server.RequestPath;

/** What rules are matched with. */
class HandlerPathTest {

    @ParameterizedTest
    @CsvSource({
        "/api/orders, /api/orders",
        "/api/, /api/",
        "//api, //api",
        "/a+b, /a+b",
        "/%61pi, /api",
        "/api;v=1/orders;x, /api/orders",
        "/a%2Fb/c, /a%2Fb/c",
        "/a%3Bb, /a;b",
        "/a%2561, /a%61",
    })
    void isThePathThatHandlersAreMatchedWith(String sent, String matched) {
        assertThat(HandlerPath.of(RequestPath.parse(sent, ""))).isEqualTo(matched);
        assertThat(HandlerPath.of(RequestPath.parse("/shop" + sent, "/shop"))).isEqualTo(matched);
    }
}
