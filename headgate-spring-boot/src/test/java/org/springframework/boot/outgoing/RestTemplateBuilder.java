package org.springframework.boot.outgoing;

import java.util.ArrayList;
import java.util.List;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestTemplate;

/** What the builders of Spring Boot 3.5 and 4 have in common, which are in different packages. */
public final class RestTemplateBuilder {

    private final List<ClientHttpRequestInterceptor> interceptors;

    public RestTemplateBuilder() {
        this(List.of());
    }

    private RestTemplateBuilder(List<ClientHttpRequestInterceptor> interceptors) {
        this.interceptors = interceptors;
    }

    public RestTemplateBuilder additionalInterceptors(ClientHttpRequestInterceptor... more) {
        List<ClientHttpRequestInterceptor> all = new ArrayList<>(interceptors);
        all.addAll(List.of(more));
        return new RestTemplateBuilder(all);
    }

    public RestTemplate build() {
        RestTemplate template = new RestTemplate();
        template.setInterceptors(interceptors);
        return template;
    }
}
