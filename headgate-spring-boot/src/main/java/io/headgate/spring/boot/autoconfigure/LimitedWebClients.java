package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.client.OutgoingExchangeFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.reactive.function.client.WebClient;

/** Adds the filter to every bean that builds a {@link WebClient}. */
final class LimitedWebClients implements BeanPostProcessor {

    private final ObjectProvider<OutgoingExchangeFilter> filter;

    LimitedWebClients(ObjectProvider<OutgoingExchangeFilter> filter) {
        this.filter = filter;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof WebClient.Builder builder) {
            OutgoingExchangeFilter ours = filter.getObject();
            builder.filters(all -> {
                if (!all.contains(ours)) {
                    all.add(ours);
                }
            });
        }
        return bean;
    }
}
