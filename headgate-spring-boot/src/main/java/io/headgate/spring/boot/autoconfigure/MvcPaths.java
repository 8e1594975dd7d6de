package io.headgate.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/** Reads the paths of handlers from the mappings of Spring MVC. A mapping of unknown type may answer any path. */
final class MvcPaths {

    private MvcPaths() {}

    static KnownPaths of(WebApplicationContext application, Iterable<HandlerMapping> mappings) {
        Environment environment = application.getEnvironment();
        KnownPaths.Builder paths = new KnownPaths.Builder(environment);
        mappings.forEach(mapping -> add(mapping, paths));
        String context = application.getServletContext() == null
                ? ""
                : application.getServletContext().getContextPath();
        return paths.build(context, environment.getProperty("spring.mvc.servlet.path", ""));
    }

    private static void add(HandlerMapping mapping, KnownPaths.Builder paths) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            methods.getHandlerMethods()
                    .keySet()
                    .forEach(info -> info.getPatternValues().forEach(paths::add));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            urls.getHandlerMap().forEach((pattern, handler) -> add(pattern, handler, paths));
            if (urls.getRootHandler() != null) {
                paths.add("/");
            }
            if (urls.getDefaultHandler() != null) {
                paths.add(KnownPaths.ANY);
            }
        } else if (mapping instanceof RouterFunctionMapping functions) {
            addRoutes(functions.getRouterFunction(), paths);
        } else {
            paths.add(KnownPaths.ANY);
        }
    }

    private static void add(String pattern, Object handler, KnownPaths.Builder paths) {
        if (handler instanceof ResourceHttpRequestHandler files) {
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
