package io.headgate.spring.boot.autoconfigure;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Collects the paths of functional routes. MVC and WebFlux have visitors of the same methods for them, but of different types, so
 * both are proxies here. A route of unknown path is taken to have every path.
 */
final class RoutePaths {

    private static final List<String> ANY = List.of();

    private final List<String> found = new ArrayList<>();

    /** The beginnings of paths in the nested routes that are visited now, innermost first. */
    private final Deque<List<String>> beginnings = new ArrayDeque<>(List.of(List.of("")));

    /** The paths of the parts of the predicate that is visited now. */
    private final Deque<List<String>> parts = new ArrayDeque<>();

    /** How many parts there were before each conjunction, disjunction or negation that is visited now. */
    private final Deque<Integer> starts = new ArrayDeque<>();

    /** The paths of all routes that were visited. */
    List<String> found() {
        return found;
    }

    /**
     * A visitor of routes.
     *
     * @param predicate has a predicate visited by the visitor of {@link #predicates}
     */
    <V> V routes(Class<V> visitor, Consumer<Object> predicate) {
        return proxy(visitor, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "startNested" -> beginnings.push(below(paths(predicate, arguments[0])));
                case "endNested" -> beginnings.pop();
                case "route" -> {
                    List<String> paths = paths(predicate, arguments[0]);
                    found.addAll(below(paths.isEmpty() ? List.of("/**") : paths));
                }
                case "resources", "unknown" -> found.addAll(below(List.of("/**")));
                default -> {} // attributes
            }
            return null;
        });
    }

    private List<String> paths(Consumer<Object> predicate, Object visited) {
        parts.clear();
        starts.clear();
        predicate.accept(visited);
        return parts.size() == 1 ? parts.pop() : ANY;
    }

    private List<String> below(List<String> paths) {
        List<String> outer = beginnings.element();
        return paths.isEmpty()
                ? outer
                : outer.stream()
                        .flatMap(beginning -> paths.stream().map(path -> beginning.replaceAll("/\\*\\*$", "") + path))
                        .toList();
    }

    /** A visitor of the predicates of routes. */
    <V> V predicates(Class<V> visitor) {
        return proxy(visitor, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "path" -> parts.push(List.of((String) arguments[0]));
                case "startAnd", "startOr", "startNegate" -> starts.push(parts.size());
                case "and", "or" -> {}
                case "endAnd" ->
                    join(both -> both.stream()
                            .filter(paths -> !paths.isEmpty())
                            .findFirst()
                            .orElse(ANY));
                case "endOr" ->
                    join(both -> both.size() < 2 || both.contains(ANY)
                            ? ANY
                            : both.stream().flatMap(List::stream).toList());
                case "endNegate" -> join(negated -> ANY);
                default -> parts.push(ANY); // a condition on something other than the path
            }
            return null;
        });
    }

    /** Replaces the parts since the last start by one. There may be fewer than expected, because a predicate need not be visited. */
    private void join(Function<List<List<String>>, List<String>> how) {
        List<List<String>> last = new ArrayList<>();
        for (int start = starts.pop(); parts.size() > start; ) {
            last.add(parts.pop());
        }
        parts.push(how.apply(last));
    }

    private static <V> V proxy(Class<V> visitor, InvocationHandler handler) {
        return visitor.cast(Proxy.newProxyInstance(visitor.getClassLoader(), new Class<?>[] {visitor}, handler));
    }
}
