package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

class ServletViewTest {

    private final MockHttpServletRequest arrived = arrived();

    @Test
    void readsWhatArrived() {
        ServletView view = ServletView.handled(arrived);

        assertThat(view.peerAddress()).isEqualTo("192.0.2.1");
        assertThat(view.headers("X-Forwarded-For")).containsExactly("203.0.113.7", "198.51.100.1");
        assertThat(view.headers("X-API-Key")).containsExactly("k");
        assertThat(view.headers("Forwarded")).isEmpty();
    }

    /** As behind a filter that takes forwarded headers at their word, and away. */
    @Test
    void readsWhereARequestCameFromAsItArrivedAndTheRestAsFiltersLeftIt() {
        ServletView view = ServletView.handled(new Rewritten(new Rewritten(arrived)));

        assertThat(view.peerAddress()).isEqualTo("192.0.2.1");
        assertThat(view.headers("X-Forwarded-For")).containsExactly("203.0.113.7", "198.51.100.1");
        assertThat(view.headers("X-API-Key")).containsExactly("rewritten");
    }

    @Test
    void readsTheQueryWithoutTheBody() {
        arrived.setQueryString("a=1&b=x%20y+z&a=%C3%A4&&flag&bad=%zz&%61=3&=n");
        arrived.addParameter("body", "form");
        ServletView view = ServletView.handled(arrived);

        assertThat(view.queryParameters("a")).containsExactly("1", "ä", "3");
        assertThat(view.queryParameters("b")).containsExactly("x y z");
        assertThat(view.queryParameters("flag")).containsExactly("");
        assertThat(view.queryParameters("bad")).containsExactly("%zz");
        assertThat(view.queryParameters("body")).isEmpty();
        arrived.setQueryString(null);
        assertThat(view.queryParameters("a")).isEmpty();
    }

    @Test
    void readsCookiesAndPathVariables() {
        ServletView view = ServletView.handled(arrived);
        assertThat(view.cookies("tier")).isEmpty();
        assertThat(view.pathVariable("id")).isNull();

        arrived.setCookies(new Cookie("tier", "gold"), new Cookie("other", "x"), new Cookie("tier", "silver"));
        arrived.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of("id", "7"));
        assertThat(view.cookies("tier")).containsExactly("gold", "silver");
        assertThat(view.pathVariable("id")).isEqualTo("7");
        assertThat(view.pathVariable("other")).isNull();
        assertThat(view.nativeRequest()).isSameAs(arrived);
    }

    private static MockHttpServletRequest arrived() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
        request.setRemoteAddr("192.0.2.1");
        request.addHeader("X-Forwarded-For", List.of("203.0.113.7", "198.51.100.1"));
        request.addHeader("X-API-Key", "k");
        ServletRequestPathUtils.parseAndCache(request);
        return request;
    }

    private static final class Rewritten extends HttpServletRequestWrapper {

        Rewritten(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRemoteAddr() {
            return "203.0.113.7";
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return Collections.enumeration(List.of("rewritten"));
        }
    }
}
