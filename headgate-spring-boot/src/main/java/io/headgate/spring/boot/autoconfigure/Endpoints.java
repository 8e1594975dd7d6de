package io.headgate.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.springframework.util.ClassUtils;

/** Lists the handlers of the application, to find out which are not limited. */
@FunctionalInterface
interface Endpoints {

    List<Endpoint> all();

    /** Whether handlers match paths regardless of case. */
    default boolean ignoreCase() {
        return false;
    }

    /** The paths of all that answers requests; empty if the application cannot tell. */
    default Optional<KnownPaths> paths() {
        return Optional.empty();
    }

    /** Whether that controller is the one of Spring Boot that renders errors, which clients do not request. */
    static boolean showsErrors(Class<?> controller) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(controller))
                .anyMatch(type -> type.getSimpleName().equals("ErrorController"));
    }

    /**
     * One handler.
     *
     * @param methods the HTTP methods that it accepts; all, if empty
     * @param templates its paths as declared, such as {@code /orders/{id}}
     * @param limited whether it has limits of its own
     */
    record Endpoint(List<String> methods, List<String> templates, boolean limited) {

        /** The methods that are examined for a handler that accepts all. */
        private static final List<String> USUAL = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

        /** The paths that are not limited, each with the methods concerned; without, if the handler accepts all and none is limited. */
        List<String> free(BiPredicate<String, String> heldBack) {
            List<String> taken = methods.isEmpty() ? USUAL : methods;
            List<String> all = new ArrayList<>();
            for (String template : templates) {
                List<String> free = taken.stream()
                        .filter(method -> !heldBack.test(method, example(template)))
                        .toList();
                String path = template.isEmpty() ? "/" : template;
                if (methods.isEmpty() && free.size() == taken.size()) {
                    all.add(path);
                } else if (!free.isEmpty()) {
                    all.add(String.join("|", free) + " " + path);
                }
            }
            return all;
        }

        /** An example of a path that matches the template. */
        private static String example(String template) {
            return template.replaceAll("\\{[^}]*}", "x").replace("**", "x").replace("*", "x");
        }
    }
}
