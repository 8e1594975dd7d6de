package io.headgate.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.springframework.util.ClassUtils;

/** What the application serves, to find out what is not limited. */
@FunctionalInterface
interface Endpoints {

    List<Endpoint> all();

    /** Whether handlers are found in upper and lower case alike. */
    default boolean ignoreCase() {
        return false;
    }

    /** Whether that is the controller of Spring Boot that shows errors: nobody asks for it. */
    static boolean showsErrors(Class<?> controller) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(controller))
                .anyMatch(type -> type.getSimpleName().equals("ErrorController"));
    }

    /**
     * One handler.
     *
     * @param methods those it takes; all, if empty
     * @param templates its paths as they were declared, such as {@code /orders/{id}}
     * @param limited whether it has limits of its own
     */
    record Endpoint(List<String> methods, List<String> templates, boolean limited) {

        /** What a handler for all methods is asked with. */
        private static final List<String> USUAL = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

        /** Those of its methods and paths that are not held back, each path with the methods unless it is all of them. */
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

        /** A path that the template stands for. */
        private static String example(String template) {
            return template.replaceAll("\\{[^}]*}", "x").replace("**", "x").replace("*", "x");
        }
    }
}
