package io.headgate.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The heap that a key takes beyond its string: what is left after a collection with a million keys asked for once each, less what
 * was there before. Each contender is measured in a virtual machine of its own, with the serial collector, because that one knows
 * to the byte how much is in use.
 */
public final class HeapPerKey {

    private HeapPerKey() {}

    static double of(Contender contender) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UseTLAB", // what a thread has set aside for its next objects counts as in use
                "-Xms3g",
                "-Xmx3g",
                "-cp",
                System.getProperty("java.class.path"),
                HeapPerKey.class.getName(),
                contender.name());
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Double.parseDouble(answer.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) {
        Contender contender = Contender.valueOf(arguments[0]);
        Blackhole hole = new Blackhole(
                "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
        Limiter warm = contender.limiter(Budget.HELD); // so that no class is loaded in between
        warm.ask("client", hole);
        String[] keys = Scenarios.Keys.all();
        for (String key : keys) {
            hole.consume(key.hashCode());
        }
        Limiter limiter = contender.limiter(Budget.HELD);
        try {
            long before = inUse();
            for (String key : keys) {
                limiter.ask(key, hole);
            }
            System.out.println((double) (inUse() - before) / keys.length);
        } finally {
            Reference.reachabilityFence(limiter);
            Reference.reachabilityFence(keys);
        }
    }

    private static long inUse() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
