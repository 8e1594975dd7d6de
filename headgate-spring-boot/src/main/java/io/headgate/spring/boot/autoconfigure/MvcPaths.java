package io.headgate.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
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

/** Collects the paths that handlers of Spring MVC have. A mapping of unknown type may answer any path. */
final class MvcPaths {

    private final List<String> templates = new ArrayList<>();
    private final StaticFiles files = new StaticFiles();

    private MvcPaths() {}

    static KnownPaths of(WebApplicationContext application, Iterable<HandlerMapping> mappings) {
        MvcPaths paths = new MvcPaths();
        Environment environment = application.getEnvironment();
        paths.templates.addAll(KnownPaths.ofManagement(environment));
        mappings.forEach(paths::add);
        String context = application.getServletContext() == null
                ? ""
                : application.getServletContext().getContextPath();
        String servlet = environment.getProperty("spring.mvc.servlet.path", "");
        return new KnownPaths(KnownPaths.bases(context, servlet), paths.templates, paths.files);
    }

    private void add(HandlerMapping mapping) {
        if (mapping instanceof RequestMappingInfoHandlerMapping methods) {
            methods.getHandlerMethods().keySet().forEach(info -> templates.addAll(info.getPatternValues()));
        } else if (mapping instanceof AbstractUrlHandlerMapping urls) {
            urls.getHandlerMap().forEach(this::add);
            if (urls.getRootHandler() != null) {
                templates.add("/");
            }
            if (urls.getDefaultHandler() != null) {
                templates.add("/**");
            }
        } else if (mapping instanceof RouterFunctionMapping functions) {
            addRoutes(functions.getRouterFunction());
        } else {
            templates.add("/**");
        }
    }

    private void add(String pattern, Object handler) {
        if (pattern.equals("/**")
                && handler instanceof ResourceHttpRequestHandler resources
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
