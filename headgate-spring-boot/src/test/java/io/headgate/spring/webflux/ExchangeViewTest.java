package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.HandlerMapping;

class ExchangeViewTest {

    @Test
    void readsQueryCookiesAndPathVariables() {
        MockServerWebExchange exchange = MockServerWebExchange.from(
                MockServerHttpRequest.method(HttpMethod.GET, URI.create("/orders/7?a=1&b=x%20y&a=2&flag"))
                        .cookie(new HttpCookie("tier", "gold"), new HttpCookie("tier", "silver")));
        ExchangeView view = ExchangeView.of(exchange);

        assertThat(view.queryParameters("a")).containsExactly("1", "2");
        assertThat(view.queryParameters("b")).containsExactly("x y");
        assertThat(view.queryParameters("flag")).containsExactly("");
        assertThat(view.queryParameters("c")).isEmpty();
        assertThat(view.cookies("tier")).containsExactly("gold", "silver");
        assertThat(view.cookies("other")).isEmpty();
        assertThat(view.pathVariable("id")).isNull();
        assertThat(view.nativeRequest()).isSameAs(exchange);

        exchange.getAttributes().put(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("id", "7"));
        assertThat(view.pathVariable("id")).isEqualTo("7");
    }
}
