package io.headgate.spring.servlet;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Recognizes servlets other than Spring's, such as those of Jersey or of a console. They see the path as the container has decoded
 * it, including the prefix that they are mapped to; Spring's servlet parses the path itself, after the prefix.
 */
final class OtherServlets {

    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    /** Whether such a servlet will be called for the request. */
    boolean serve(HttpServletRequest request) {
        String name = request.getHttpServletMapping().getServletName();
        Boolean other = known.get(name);
        if (other == null) {
            other = isOther(request.getServletContext().getServletRegistration(name));
            known.put(name, other);
        }
        return other;
    }

    private static boolean isOther(ServletRegistration servlet) {
        String type = servlet == null ? null : servlet.getClassName();
        ClassLoader loader = OtherServlets.class.getClassLoader();
        return type != null
                && ClassUtils.isPresent(type, loader)
                && !DispatcherServlet.class.isAssignableFrom(ClassUtils.resolveClassName(type, loader));
    }

    /** The path as such a servlet sees it: decoded, normalized, without parameters. */
    static String path(HttpServletRequest request) {
        String within = request.getPathInfo();
        return within == null ? request.getServletPath() : request.getServletPath() + within;
    }
}
