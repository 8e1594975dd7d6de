package io.headgate.benchmarks.served;

import io.headgate.benchmarks.Spread;
import io.headgate.rig.RedisServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures everybody beside the bare endpoint, in pairs that take turns, and prints the medians of their ratios.
 *
 * <pre>{@code
 * ./mvnw -q -Phttp-comparison -pl headgate-benchmarks -am compile exec:exec
 * }</pre>
 */
public final class HttpComparison {

    private static final int ROUNDS = 9;
    private static final long WARM_UP_MILLIS = 45_000;
    private static final long SETTLING_MILLIS = 500;
    private static final long MILLIS = 1_000;

    private final Map<Front, List<Double>> perSecond = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> ofBare = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpu = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpuOfBare = new EnumMap<>(Front.class);

    /**
     * What a while of asking showed, once the server had the processor to itself for a moment: answers a second, and for how long an
     * answer kept a processor of the server busy.
     */
    private record Sample(double perSecond, double cpuMicros) {

        static Sample of(Served application, long millis) throws Exception {
            Clients.perSecond(application, SETTLING_MILLIS);
            long before = application.cpuNanos();
            long start = System.nanoTime();
            double perSecond = Clients.perSecond(application, millis);
            double answers = perSecond * (System.nanoTime() - start) / 1e9;
            return new Sample(perSecond, (application.cpuNanos() - before) / 1e3 / answers);
        }
    }

    private HttpComparison() {}

    public static void main(String[] arguments) throws Exception {
        List<Served> applications = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            for (Front front : fronts(System.getProperty("fronts", ""))) {
                applications.add(Served.start(front, redis.port()));
            }
            HttpComparison comparison = new HttpComparison();
            comparison.measure(applications);
            System.out.println(comparison.table());
        } finally {
            for (Served application : applications) {
                application.close();
            }
        }
    }

    /** The bare endpoint, and those of these names, or all. */
    private static Set<Front> fronts(String names) {
        if (names.isEmpty()) {
            return EnumSet.allOf(Front.class);
        }
        Set<Front> fronts = EnumSet.of(Front.BARE);
        for (String name : names.split(",", -1)) {
            fronts.add(Front.valueOf(name));
        }
        return fronts;
    }

    private void measure(List<Served> applications) throws Exception {
        for (Served application : applications) {
            Clients.first(application);
            Clients.perSecond(application, WARM_UP_MILLIS);
        }
        Served bare = applications.get(0);
        for (int round = 0; round < ROUNDS; round++) {
            for (Served application : applications.subList(1, applications.size())) {
                Sample floor = Sample.of(bare, MILLIS);
                Sample sample = Sample.of(application, MILLIS);
                double rate = sample.perSecond / floor.perSecond;
                double work = sample.cpuMicros / floor.cpuMicros;
                add(perSecond, Front.BARE, floor.perSecond);
                add(perSecond, application.front, sample.perSecond);
                add(ofBare, application.front, rate);
                add(cpu, Front.BARE, floor.cpuMicros);
                add(cpu, application.front, sample.cpuMicros);
                add(cpuOfBare, application.front, work);
                System.err.printf(
                        Locale.ROOT,
                        "%d/%d %s: %.2f of the rate, %.2f of the work%n",
                        round + 1,
                        ROUNDS,
                        application.front.label,
                        rate,
                        work);
            }
        }
    }

    private static void add(Map<Front, List<Double>> values, Front front, double value) {
        values.computeIfAbsent(front, missing -> new ArrayList<>()).add(value);
    }

    private String table() {
        StringBuilder table = new StringBuilder(
                "| in front of the endpoint | requests/s | of bare | CPU of the server in us | of bare |\n|---|---|---|---|---|\n");
        perSecond.forEach((front, rates) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.0f | %s | %.1f | %s |%n",
                front.label,
                Spread.of(rates).median(),
                Spread.of(ofBare.getOrDefault(front, List.of(1.0))),
                Spread.of(cpu.getOrDefault(front, List.of())).median(),
                Spread.of(cpuOfBare.getOrDefault(front, List.of(1.0))))));
        return table.toString();
    }
}
