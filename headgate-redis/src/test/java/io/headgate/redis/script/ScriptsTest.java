package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class ScriptsTest {

    /** All of them are in Redis 6.2 and in every Valkey. The guide lists them for an ACL user. */
    public static final Set<String> COMMANDS_OF_6_2 = Set.of(
            "TIME",
            "EXISTS",
            "DEL",
            "PTTL",
            "PEXPIRE",
            "GET",
            "SET",
            "HMGET",
            "HSET",
            "HINCRBY",
            "ZADD",
            "ZCARD",
            "ZCOUNT",
            "ZRANGE",
            "ZREM",
            "ZREMRANGEBYRANK",
            "ZREMRANGEBYSCORE");

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([^']+)'");

    static List<String> algorithms() {
        return List.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window",
                Scripts.CUSTOM);
    }

    static Stream<Script> scripts() {
        Scripts scripts = new Scripts();
        List<Script> all = new ArrayList<>();
        for (String algorithm : algorithms()) {
            all.add(scripts.plan(List.of(algorithm)));
        }
        all.add(scripts.plan(algorithms()));
        all.add(scripts.states());
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
        List<String> code = script.text()
                .lines()
                .filter(line -> !line.strip().startsWith("--"))
                .toList();
        List<String> assignments = code.stream()
                .filter(line -> line.matches("\\s*(local )?([a-z_]+, )*now\\b(, [a-z_]+)* = .*"))
                .toList();

        assertThat(assignments).containsExactly("local now, margin = time[1] * 1000000 + time[2], 1001");
        assertThat(code.get(0)).isEqualTo("local time = redis.call('TIME')");
    }

    @Test
    void composesTheSameScriptToTheByteForTheSameAlgorithmsInWhateverOrder() {
        List<String> reversed = new ArrayList<>(algorithms());
        Collections.reverse(reversed);

        assertThat(new Scripts().plan(algorithms())).isEqualTo(new Scripts().plan(reversed));
        assertThat(new Scripts().plan(List.of("fixed-window", "fixed-window")))
                .isEqualTo(new Scripts().plan(List.of("fixed-window")));
    }

    /** The digest is what Redis computes, or every call would be sent in full. */
    @Test
    void knowsTheDigestOfAScript() {
        assertThat(new Script("return 1").sha()).isEqualTo("e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
    }

    static Stream<String> files() {
        return Stream.concat(
                algorithms().stream(), Stream.of("time", "algorithms", "wide", "bucket", "plan", "states"));
    }

    /** Known to any Lua: no template, and nothing that only makes sense behind another file. */
    @ParameterizedTest
    @MethodSource("files")
    void everyFileIsLuaByItself(String file) throws Exception {
        Path luac = Stream.of("/usr/bin/luac5.1", "/usr/bin/luac", "/usr/local/bin/luac")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(luac != null, "no luac on this machine");
        Process process = new ProcessBuilder(luac.toString(), "-p", "-")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().write(Scripts.file(file).getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();

        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFileSaysWhatItIs(String file) {
        assertThat(Scripts.file(file)).startsWith("-- ");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void everyAlgorithmSaysWhatItKeeps(String algorithm) {
        String text = Scripts.file(algorithm);
        String head = text.contains("see bucket.lua") ? Scripts.file("bucket") : text;

        for (String part : List.of("-- key ", "-- charge ", "-- TTL ")) {
            assertThat(head.lines()).as(part).anyMatch(line -> line.startsWith(part));
        }
    }

    /** The limits of a plan are arguments: they are not part of the script. */
    @Test
    void hasOneScriptForAllPlansOfAnAlgorithm() {
        Scripts scripts = new Scripts();
        Algorithms known = Headgate.algorithms();

        assertThat(new Program(Plan.parse("5/min", "20/h"), known, scripts).script())
                .isSameAs(new Program(Plan.of(Limit.parse("7/s")), known, scripts).script());
    }
}
