package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptsTest {

    /** All of them are in Redis 6.2 and in every Valkey. */
    static final Set<String> COMMANDS_OF_6_2 = Set.of(
            "TIME", "TYPE", "EXISTS", "DEL", "RENAME", "PTTL", "PEXPIRE", "GET", "SET", "HGET", "HMGET", "HSET",
            "HINCRBY", "LINDEX", "LLEN", "LREM", "LSET", "LTRIM", "RPUSH");

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([^']+)'");

    static List<String> algorithms() {
        return List.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                Scripts.CALENDAR,
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window",
                Scripts.OWN);
    }

    static Stream<Script> scripts() {
        Scripts scripts = new Scripts();
        List<Script> all = new ArrayList<>();
        for (String algorithm : algorithms()) {
            all.add(scripts.plan(List.of(shape(algorithm, false))));
            all.add(scripts.plan(List.of(shape(algorithm, true), shape(algorithm, false))));
        }
        all.add(scripts.single("own-states"));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void callsOnlyCommandsOfRedis62(Script script) {
        Set<String> called = new TreeSet<>();
        Matcher call = CALL.matcher(script.text());
        while (call.find()) {
            called.add(call.group(1));
        }

        assertThat(called).isNotEmpty().isSubsetOf(COMMANDS_OF_6_2);
        assertThat(script.text().split("redis\\.p?call\\(", -1).length - 1)
                .as("calls whose command is not written out")
                .isEqualTo((int) CALL.matcher(script.text()).results().count());
    }

    /** Known bug T1: there is no argument that could be taken for the time. */
    @ParameterizedTest
    @MethodSource("scripts")
    void takesTheTimeFromRedisAndFromNowhereElse(Script script) {
        List<String> assignments = script.text()
                .lines()
                .filter(line -> line.matches(".*\\bnow\\b[^=<>~]*=[^=].*"))
                .toList();

        assertThat(assignments).containsExactly("local now, margin = time[1] * 1000000 + time[2], 1001");
        assertThat(script.text()).startsWith("local time = redis.call('TIME')\n");
    }

    @Test
    void composesTheSameScriptToTheByte() {
        List<Scripts.Shape> shapes =
                algorithms().stream().map(algorithm -> shape(algorithm, false)).toList();

        assertThat(new Scripts().plan(shapes)).isEqualTo(new Scripts().plan(shapes));
    }

    @Test
    void leavesNothingOfTheTemplateBehind() {
        assertThat(scripts())
                .allSatisfy(script -> assertThat(script.text())
                        .doesNotContain("$", "--", "arg_i", "name_i", "head_i")
                        .doesNotContainPattern("_i\\b"));
    }

    /** The digest is what Redis computes, or every call would be sent in full. */
    @Test
    void knowsTheDigestOfAScript() {
        assertThat(new Script("return 1").sha()).isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
    }

    static Stream<String> files() {
        return Stream.concat(
                algorithms().stream(), Stream.of("plan", "own-states", "identify", "level", "time", "wide"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFileSaysWhatItTakesAndGives(String file) throws IOException {
        try (InputStream in = Scripts.class.getResourceAsStream(file + ".lua")) {
            List<String> head = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .takeWhile(line -> line.startsWith("--"))
                    .toList();

            for (String part : List.of("-- KEYS ", "-- ARGV ", "-- reply ", "-- TTL ")) {
                assertThat(head).as(part).anyMatch(line -> line.startsWith(part));
            }
        }
    }

    private static Scripts.Shape shape(String algorithm, boolean named) {
        return new Scripts.Shape(algorithm, named && !algorithm.equals(Scripts.OWN));
    }
}
