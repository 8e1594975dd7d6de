package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimits;
import io.headgate.spring.boot.actuate.RateLimitsEndpoint;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** Registers what a native image cannot detect: scripts, annotations, and types, methods and fields accessed by reflection. */
final class HeadgateRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("io/headgate/redis/*.lua");
        for (Class<?> annotation : new Class<?>[] {RateLimit.class, RateLimits.class}) {
            hints.reflection().registerType(annotation, MemberCategory.INVOKE_PUBLIC_METHODS);
            hints.proxies().registerJdkProxy(annotation);
        }
        for (String functions : new String[] {"servlet.function", "reactive.function.server"}) {
            for (String visited : new String[] {"RouterFunctions", "RequestPredicates"}) {
                hints.proxies()
                        .registerJdkProxy(
                                TypeReference.of("org.springframework.web." + functions + "." + visited + "$Visitor"));
            }
        }
        hints.reflection()
                .registerTypeIfPresent(
                        loader,
                        "io.headgate.spring.method.expression.RequestValues",
                        MemberCategory.INVOKE_DECLARED_METHODS);
        for (String templates : new String[] {"web.client", "restclient"}) { // of Spring Boot 3.5 and 4
            hints.reflection()
                    .registerTypeIfPresent(
                            loader,
                            "org.springframework.boot." + templates + ".RestTemplateBuilder",
                            MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        registerField(hints, loader, "io.lettuce.core.RedisClient", "redisURI");
        registerField(hints, loader, "io.lettuce.core.AbstractRedisClient", "sharedResources");
        registerField(hints, loader, "io.lettuce.core.cluster.RedisClusterClient", "initialUris");
        if (ClassUtils.isPresent("org.springframework.boot.actuate.endpoint.annotation.Endpoint", loader)) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            hints.reflection(),
                            RateLimitsEndpoint.InForce.class,
                            RateLimitsEndpoint.Standing.class,
                            Explanation.class,
                            Rule.class);
        }
    }

    private static void registerField(RuntimeHints hints, @Nullable ClassLoader loader, String type, String field) {
        hints.reflection().registerTypeIfPresent(loader, type, hint -> hint.withField(field));
    }
}
