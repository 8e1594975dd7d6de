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
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures everybody beside the bare endpoint, in pairs that take turns, and prints the medians of their ratios.
 *
 * <p>Both of a pair are warm, take turns and come first equally often; nobody else runs meanwhile. A server that is asked less
 * often than the other is measured with its code half interpreted and out of the caches of the processor. Turns are short, since
 * what the neighbours of a machine do lasts for seconds. And both are started several times, since one start of a server differs
 * from the next by more than most of what is measured here: the interval is that of the medians of the starts.
 *
 * <pre>{@code
 * ./mvnw -q -Phttp-comparison -pl headgate-benchmarks -am compile exec:exec
 * }</pre>
 */
public final class HttpComparison {

    private static final int STARTS = 5;
    private static final int PAIRS = 16;
    private static final int WARM_UPS = 24;
    private static final long WARM_UP_MILLIS = 1_000;
    private static final long QUIET_MILLIS = 250;
    private static final long SETTLING_MILLIS = 100;
    private static final long MILLIS = 400;

    /** The medians of each start. */
    private final Map<Front, List<Double>> perSecond = new EnumMap<>(Front.class);

    private final Map<Front, List<Double>> ofBare = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpu = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpuOfBare = new EnumMap<>(Front.class);

    /**
     * What a while of asking showed, once the server had the processor to itself for a moment: answers a second, and for how long an
     * answer kept a processor of the server busy.
     */
    private record Sample(double perSecond, double cpuMicros) {

        static Sample of(Served application) throws Exception {
            Clients.perSecond(application, SETTLING_MILLIS);
            long before = application.cpuNanos();
            long start = System.nanoTime();
            double perSecond = Clients.perSecond(application, MILLIS);
            double answers = perSecond * (System.nanoTime() - start) / 1e9;
            return new Sample(perSecond, (application.cpuNanos() - before) / 1e3 / answers);
        }
    }

    private HttpComparison() {}

    public static void main(String[] arguments) throws Exception {
        HttpComparison comparison = new HttpComparison();
        try (RedisServer redis = RedisServer.start()) {
            for (int start = 1; start <= STARTS; start++) {
                for (Front front : fronts(System.getProperty("fronts", ""))) {
                    try (Served bare = Served.start(Front.BARE, redis.port());
                            Served application = Served.start(front, redis.port())) {
                        warmUp(bare, application);
                        comparison.measure(bare, application, start);
                    }
                }
            }
        }
        System.out.println(comparison.table());
    }

    /** With quiet moments, in which the compiler has the processors to itself: clients that never pause starve it for minutes. */
    private static void warmUp(Served bare, Served application) throws Exception {
        Clients.first(bare);
        Clients.first(application);
        for (int i = 0; i < WARM_UPS; i++) {
            for (Served each : List.of(bare, application)) {
                Clients.perSecond(each, WARM_UP_MILLIS);
                Thread.sleep(QUIET_MILLIS);
            }
        }
    }

    /** Those of these names, or all, but for the bare endpoint. */
    private static Set<Front> fronts(String names) {
        if (names.isEmpty()) {
            return EnumSet.complementOf(EnumSet.of(Front.BARE));
        }
        Set<Front> fronts = EnumSet.noneOf(Front.class);
        for (String name : names.split(",", -1)) {
            fronts.add(Front.valueOf(name));
        }
        fronts.remove(Front.BARE);
        return fronts;
    }

    private void measure(Served bare, Served application, int start) throws Exception {
        List<Sample> floors = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (int pair = 1; pair <= PAIRS; pair++) {
            boolean bareFirst = pair % 2 == 1;
            Sample first = Sample.of(bareFirst ? bare : application);
            Sample second = Sample.of(bareFirst ? application : bare);
            floors.add(bareFirst ? first : second);
            samples.add(bareFirst ? second : first);
        }
        double rate = median(pair -> samples.get(pair).perSecond / floors.get(pair).perSecond);
        double work = median(pair -> samples.get(pair).cpuMicros / floors.get(pair).cpuMicros);
        add(perSecond, Front.BARE, median(pair -> floors.get(pair).perSecond));
        add(perSecond, application.front, median(pair -> samples.get(pair).perSecond));
        add(ofBare, application.front, rate);
        add(cpu, Front.BARE, median(pair -> floors.get(pair).cpuMicros));
        add(cpu, application.front, median(pair -> samples.get(pair).cpuMicros));
        add(cpuOfBare, application.front, work);
        System.err.printf(
                Locale.ROOT,
                "%d/%d %s: %.2f of the rate, %.2f of the work%n",
                start,
                STARTS,
                application.front.label,
                rate,
                work);
    }

    private static double median(IntToDoubleFunction ofPair) {
        return Spread.of(IntStream.range(0, PAIRS).mapToDouble(ofPair).boxed().toList())
                .median();
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
