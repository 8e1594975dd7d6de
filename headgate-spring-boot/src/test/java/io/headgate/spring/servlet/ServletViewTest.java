package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
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
