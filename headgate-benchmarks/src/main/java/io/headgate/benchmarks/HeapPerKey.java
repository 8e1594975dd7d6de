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
 * Measures the heap that a key takes beyond its string: the heap in use after one request for each of a million keys and a garbage
 * collection, minus the heap in use before. Each contender runs in a JVM of its own, with the serial collector, because that
 * collector reports the heap in use to the byte.
 */
public final class HeapPerKey {

    private HeapPerKey() {}

    static double of(Contender contender) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UseTLAB", // the unused rest of a thread's buffer counts as in use
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
        Limiter warm = contender.limiter(Budget.HELD); // loads all classes before the measurement
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
