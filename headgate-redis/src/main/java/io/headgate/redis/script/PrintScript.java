package io.headgate.redis.script;

import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints the script of a plan, and in a comment at its end how to call it with {@code redis-cli} for one permit:
 *
 * <pre>{@code java -cp … io.headgate.redis.script.PrintScript "5/min" "20/h sliding-window-log" > plan.lua}</pre>
 */
public final class PrintScript {

    private PrintScript() {}

    /**
     * Prints the script.
     *
     * @param limits the limits of the plan, as {@link Plan#parse} reads them
     */
    public static void main(String... limits) {
        System.out.print(print(Plan.parse(limits), Headgate.algorithms()));
    }

    static String print(Plan plan, Algorithms algorithms) {
        Program program = new Program(plan, algorithms, new Scripts());
        byte[] subject = Names.readable(Names.DEFAULT_PREFIX).of(new Key("login", "alice"));
        String call = Stream.of(
                        words(program.keys(subject)),
                        Stream.of(","),
                        words(program.arguments(List.of(Operation.ONE), null, System.currentTimeMillis() * 1_000)))
                .flatMap(words -> words)
                .collect(Collectors.joining(" "));
        return program.script().text() + "\n-- redis-cli --eval plan.lua " + call + "\n";
    }

    private static Stream<String> words(byte[][] all) {
        return Arrays.stream(all).map(each -> quoted(new String(each, StandardCharsets.UTF_8)));
    }

    /** For a shell, which takes braces for its own. */
    private static String quoted(String word) {
        return word.matches("[\\w/-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
