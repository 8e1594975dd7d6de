package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.redis.SharedRedis;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed runs as it is, in a shell with {@code redis-cli}; the guide shows the same. */
class PrintScriptTest extends SharedRedis {

    @TempDir
    Path folder;

    @Test
    void printsAScriptThatRunsAsTheGuideSays() throws Exception {
        Path client = Stream.of("/usr/bin/redis-cli", "/usr/local/bin/redis-cli")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(client != null, "no redis-cli on this machine");
        String printed = PrintScript.print(Plan.parse("5/min", "20/h sliding-window-log"), Headgate.algorithms());
        Files.writeString(folder.resolve("plan.lua"), printed);
        String last = printed.lines().reduce("", (first, second) -> second);
        assertThat(last)
                .isEqualTo("-- redis-cli --eval plan.lua '{rl:login:alice}:token-bucket:0'"
                        + " '{rl:login:alice}:sliding-window-log:0' , token-bucket 5 60000000 5"
                        + " sliding-window-log 20 3600000000 20 take 1");
        String call = last.substring(3)
                .replace("redis-cli", client + " -p " + redis.uri().replaceAll(".*:(\\d+).*", "$1"));

        List<String> first = run(call);
        List<String> second = run(call);

        assertThat(first).hasSize(11).startsWith("0", "4", "0", "12000000", "12000000");
        assertThat(first.subList(5, 9)).containsExactly("19", "0", "3600000000", "3600000000");
        assertThat(second).startsWith("0", "3", "0");
        assertThat((Long) redis.command("ZCARD", "{rl:login:alice}:sliding-window-log:0"))
                .isEqualTo(3);
        assertThat(Files.readString(Path.of("../docs/guide/redis-layout.md"))).contains(last.substring(3));
    }

    private List<String> run(String call) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", call)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out.lines().toList();
    }
}
