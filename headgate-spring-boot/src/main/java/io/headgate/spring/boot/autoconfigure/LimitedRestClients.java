package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.client.OutgoingRequestInterceptor;
import java.lang.reflect.InvocationTargetException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Adds the interceptor to every bean that is a {@link RestTemplate}, or that builds one or a {@link RestClient}. */
final class LimitedRestClients implements BeanPostProcessor {

    private final ObjectProvider<OutgoingRequestInterceptor> interceptor;

    LimitedRestClients(ObjectProvider<OutgoingRequestInterceptor> interceptor) {
        this.interceptor = interceptor;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RestClient.Builder builder) {
            OutgoingRequestInterceptor ours = interceptor.getObject();
            builder.requestInterceptors(all -> {
                if (!all.contains(ours)) {
                    all.add(ours);
                }
            });
        } else if (bean instanceof RestTemplate template) {
            OutgoingRequestInterceptor ours = interceptor.getObject();
            if (!template.getInterceptors().contains(ours)) {
                template.getInterceptors().add(ours);
            }
        } else if (isTemplateBuilder(bean.getClass())) {
            return limited(bean);
        }
        return bean;
    }

    /** Spring Boot 4 has moved the class, so there is no type to refer to. */
    private static boolean isTemplateBuilder(Class<?> type) {
        return type.getSimpleName().equals("RestTemplateBuilder")
                && type.getPackageName().startsWith("org.springframework.boot.");
    }

    private Object limited(Object builder) {
        try {
            return builder.getClass()
                    .getMethod("additionalInterceptors", ClientHttpRequestInterceptor[].class)
                    .invoke(builder, (Object) new ClientHttpRequestInterceptor[] {interceptor.getObject()});
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("what RestTemplateBuilder builds cannot be limited", e);
        }
    }
}
