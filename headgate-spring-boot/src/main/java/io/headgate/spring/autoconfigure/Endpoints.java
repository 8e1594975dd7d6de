package io.headgate.spring.autoconfigure;

import java.util.List;

/** What the application serves, to find out what no rule is about. */
@FunctionalInterface
interface Endpoints {

    List<Endpoint> all();

    /**
     * One of them.
     *
     * @param template the path as it was declared, such as {@code /orders/{id}}
     */
    record Endpoint(String method, String template) {

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
