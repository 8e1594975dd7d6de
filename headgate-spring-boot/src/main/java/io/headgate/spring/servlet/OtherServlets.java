package io.headgate.spring.servlet;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Servlets that are not Spring's, such as those of Jersey or of a console. They know a request by the path that the container has
 * made of it, and a prefix that they are mapped to is part of that; Spring's takes the path apart itself, behind the prefix.
 */
final class OtherServlets {

    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    /** Whether one of them will be called for the request. */
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

    /** The path of the request as they see it: decoded, normalized, without parameters. A slash at its end means nothing to many. */
    static String path(HttpServletRequest request) {
        String within = request.getPathInfo();
        String path = within == null ? request.getServletPath() : request.getServletPath() + within;
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }
}
