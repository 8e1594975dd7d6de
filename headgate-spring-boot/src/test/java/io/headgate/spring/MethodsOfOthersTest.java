package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Limits on what we may not see from our packages, and on what an application has under two names. */
class MethodsOfOthersTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    @Test
    void fallsBackOnAnInterfaceThatIsNotPublic() {
        application.withBean(Hidden.class, MethodsOfOthersTest::hidden).run(context -> {
            Hidden hidden = context.getBean(Hidden.class);
            assertThat(hidden.find("ann")).isEqualTo("found");
            assertThat(hidden.find("ann")).isEqualTo("later, ann");
        });
    }

    @Test
    void chargesABeanOfTwoNamesOnce() {
        application.withUserConfiguration(TwoNames.class).run(context -> {
            Service service = context.getBean("again", Service.class);
            service.call();
            service.call();
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::call);
        });
    }

    /** As Spring Data makes it. */
    private static Hidden hidden() {
        ProxyFactory proxy = new ProxyFactory();
        proxy.setInterfaces(Hidden.class);
        proxy.setTarget(new Object());
        proxy.addAdvice((MethodInterceptor) call -> "found");
        return (Hidden) proxy.getProxy(Hidden.class.getClassLoader());
    }

    interface Hidden {

        @RateLimit(value = "1/h", fallback = "later")
        String find(String name);

        default String later(String name) {
            return "later, " + name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoNames {

        @Bean
        Service service() {
            return new Service();
        }

        @Bean
        @Primary
        Service again(Service service) {
            return service;
        }
    }

    static class Service {

        @RateLimit("2/h")
        public void call() {}
    }
}
