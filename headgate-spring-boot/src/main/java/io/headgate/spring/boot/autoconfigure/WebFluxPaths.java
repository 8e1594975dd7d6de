package io.headgate.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
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

/** Collects the paths that handlers of WebFlux have. A mapping of unknown type may answer any path. */
final class WebFluxPaths {

    private final List<String> templates = new ArrayList<>();
    private final StaticFiles files = new StaticFiles();

    private WebFluxPaths() {}

    static KnownPaths of(Environment environment, Iterable<HandlerMapping> mappings) {
        WebFluxPaths paths = new WebFluxPaths();
        paths.templates.addAll(KnownPaths.ofManagement(environment));
        mappings.forEach(paths::add);
        String base = environment.getProperty("spring.webflux.base-path", "");
        return new KnownPaths(KnownPaths.bases(base, ""), paths.templates, paths.files);
    }

    private void add(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            methods.getHandlerMethods()
                    .keySet()
                    .forEach(info -> info.getPatternsCondition()
                            .getPatterns()
                            .forEach(pattern -> templates.add(pattern.getPatternString())));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            urls.getHandlerMap().forEach((pattern, handler) -> add(pattern.getPatternString(), handler));
        } else if (mapping instanceof RouterFunctionMapping functions) {
            addRoutes(functions.getRouterFunction());
        } else if (mapping.getClass().getEnclosingClass() != WebFluxConfigurationSupport.class) {
            templates.add("/**");
        } // otherwise it is what stands for no static files, and answers nothing
    }

    private void add(String pattern, Object handler) {
        if (pattern.equals("/**")
                && handler instanceof ResourceWebHandler resources
                && StaticFiles.onlyFiles(resources.getResourceResolvers())) {
            files.add(resources.getLocations());
        } else {
            templates.add(pattern);
        }
    }

    private void addRoutes(@Nullable RouterFunction<?> routes) {
        if (routes != null) {
            RoutePaths paths = new RoutePaths();
            RequestPredicates.Visitor predicates = paths.predicates(RequestPredicates.Visitor.class);
            routes.accept(
                    paths.routes(RouterFunctions.Visitor.class, each -> ((RequestPredicate) each).accept(predicates)));
            templates.addAll(paths.found());
        }
    }
}
