package io.headgate.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.config.WebFluxConfigurationSupport;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

/** Reads the paths of handlers from the mappings of WebFlux. A mapping of unknown type may answer any path. */
final class WebFluxPaths {

    private WebFluxPaths() {}

    static KnownPaths of(Environment environment, Iterable<HandlerMapping> mappings) {
        KnownPaths.Builder paths = new KnownPaths.Builder(environment);
        mappings.forEach(mapping -> add(mapping, paths));
        return paths.build(environment.getProperty("spring.webflux.base-path", ""), "");
    }

    private static void add(HandlerMapping mapping, KnownPaths.Builder paths) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            methods.getHandlerMethods()
                    .keySet()
                    .forEach(info -> info.getPatternsCondition()
                            .getPatterns()
                            .forEach(pattern -> paths.add(pattern.getPatternString())));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            urls.getHandlerMap().forEach((pattern, handler) -> add(pattern.getPatternString(), handler, paths));
        } else if (mapping instanceof RouterFunctionMapping functions) {
            addRoutes(functions.getRouterFunction(), paths);
        } else if (mapping.getClass().getEnclosingClass() != WebFluxConfigurationSupport.class) {
            paths.add(KnownPaths.ANY);
        } // otherwise it is what stands for no static files, and answers nothing
    }

    private static void add(String pattern, Object handler, KnownPaths.Builder paths) {
        if (handler instanceof ResourceWebHandler files) {
            paths.addFiles(pattern, files.getResourceResolvers(), files.getLocations());
        } else {
            paths.add(pattern);
        }
    }

    private static void addRoutes(@Nullable RouterFunction<?> routes, KnownPaths.Builder paths) {
        if (routes != null) {
            RoutePaths found = new RoutePaths();
            RequestPredicates.Visitor predicates = found.predicates(RequestPredicates.Visitor.class);
            routes.accept(
                    found.routes(RouterFunctions.Visitor.class, each -> ((RequestPredicate) each).accept(predicates)));
            found.found().forEach(paths::add);
        }
    }
}
