package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.TimeSource;
import io.headgate.http.LedgerFactory;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.spring.client.OutgoingExchangeFilter;
import io.headgate.spring.client.OutgoingRequestInterceptor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** Limits calls that go out. Interceptors look for the limits at the first request: what the store needs may itself be built with clients. */
@AutoConfiguration(after = HeadgateAutoConfiguration.class)
@ConditionalOnEnabled
public final class HeadgateClientAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutgoingLimits headgateOutgoingLimits(
            HeadgateProperties properties, LedgerFactory ledgers, TimeSource time, FailurePolicy usual) {
        return OutgoingLimits.of(
                ledgers,
                time,
                properties.algorithm(),
                properties.clients().stream().map(each -> each.client(usual)).toList());
    }

    /** Clients of Spring Web. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ClientHttpRequestInterceptor.class, RestClient.class})
    static class RestClients {

        @Bean
        @ConditionalOnMissingBean
        OutgoingRequestInterceptor headgateOutgoingInterceptor(ObjectProvider<OutgoingLimits> limits) {
            return new OutgoingRequestInterceptor(SingletonSupplier.of(limits::getObject));
        }

        @Bean
        @Conditional(ClientsAreNamed.class)
        static LimitedRestClients headgateLimitedRestClients(ObjectProvider<OutgoingRequestInterceptor> interceptor) {
            return new LimitedRestClients(interceptor);
        }
    }

    /** Clients of Spring WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ExchangeFilterFunction.class, WebClient.class})
    static class WebClients {

        @Bean
        @ConditionalOnMissingBean
        OutgoingExchangeFilter headgateOutgoingFilter(ObjectProvider<OutgoingLimits> limits) {
            return new OutgoingExchangeFilter(SingletonSupplier.of(limits::getObject));
        }

        @Bean
        @Conditional(ClientsAreNamed.class)
        static LimitedWebClients headgateLimitedWebClients(ObjectProvider<OutgoingExchangeFilter> filter) {
            return new LimitedWebClients(filter);
        }
    }

    /** Whether there is anything to limit: if not, builders are left alone. */
    static final class ClientsAreNamed implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !UnknownSettings.under("headgate.clients", context.getEnvironment())
                    .isEmpty();
        }
    }
}
