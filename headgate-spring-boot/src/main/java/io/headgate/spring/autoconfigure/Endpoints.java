package io.headgate.spring.autoconfigure;

import java.util.Arrays;
import java.util.List;
import org.springframework.util.ClassUtils;

/** What the application serves, to find out what is not limited. */
@FunctionalInterface
interface Endpoints {

    List<Endpoint> all();

    /** Whether that is the controller of Spring Boot that shows errors: nobody asks for it. */
    static boolean showsErrors(Class<?> controller) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(controller))
                .anyMatch(type -> type.getSimpleName().equals("ErrorController"));
    }

    /**
     * One of them.
     *
     * @param template the path as it was declared, such as {@code /orders/{id}}
     * @param limited whether it has limits of its own
     */
    record Endpoint(String method, String template, boolean limited) {

        /** A path that the template stands for. */
        String example() {
            return template.replaceAll("\\{[^}]*}", "x").replace("**", "x").replace("*", "x");
        }

        @Override
        public String toString() {
            return method + " " + template;
        }
    }
}
