package io.headgate.load;

import io.headgate.Algorithm;
import io.headgate.algorithm.BuiltIn;
import java.util.ArrayList;
import java.util.List;

/** Runs the simulations, prints their results, and exits with status 1 if any requirement was not met. */
public final class Load {

    private Load() {}

    /**
     * Runs the named simulations, or all if none is named.
     *
     * @param arguments ids of algorithms, or {@code sustained}
     */
    public static void main(String[] arguments) throws Exception {
        List<String> wanted = List.of(arguments);
        List<Outcome> outcomes = new ArrayList<>();
        for (Algorithm<?> algorithm : BuiltIn.algorithms()) {
            if (wanted.isEmpty() || wanted.contains(algorithm.id())) {
                outcomes.add(Accuracy.run(algorithm.id()));
            }
        }
        if (wanted.isEmpty() || wanted.contains("sustained")) {
            outcomes.add(Sustained.run());
        }
        System.out.print(Outcome.table(outcomes));
        System.exit(outcomes.stream().allMatch(Outcome::good) ? 0 : 1); // Gatling and Tomcat leave threads behind
    }
}
