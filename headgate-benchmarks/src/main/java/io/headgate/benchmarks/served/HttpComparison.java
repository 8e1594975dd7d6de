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
 * Measures each front in turns with the bare endpoint, or with another front, and prints the medians of the ratios.
 *
 * <p>Both endpoints of a pair run in one process, are warmed up, take turns and come first equally often; no other pair runs at the
 * same time. Two processes with the same code differ by more than most of the effects measured here: in the code that the JIT
 * compiler produces, and in the size of the young generation and so in the use of the processor's caches. Turns are short, because
 * disturbances by other load last for seconds. The process is started several times; the interval is over the starts.
 *
 * <pre>{@code
 * ./mvnw -q -Phttp-comparison -pl headgate-benchmarks -am compile exec:exec -Dfronts=HEADGATE -Dbeside=HEADERS
 * }</pre>
 */
public final class HttpComparison {

    private static final int STARTS = 5;
    private static final int WARM_UPS = 24;
    private static final long WARM_UP_MILLIS = 250;
    private static final long QUIET_MILLIS = 250;
    private static final long MILLIS = 24_000;

    /** The front with which all others are compared. */
    private final Front floor;

    /** The results, one value per start. */
    private final Map<Front, List<Double>> perSecond = new EnumMap<>(Front.class);

    private final Map<Front, List<Double>> ofFloor = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpu = new EnumMap<>(Front.class);
    private final Map<Front, List<Double>> cpuOfFloor = new EnumMap<>(Front.class);

    /**
     * The sum over all turns of one endpoint, so that work that occurs once a second counts with its full cost.
     *
     * @param cpuMicros the processor time of the server per response
     */
    private record Total(double perSecond, double cpuMicros) {

        static Total of(List<Clients.Turn> turns, boolean floor) {
            long answers = 0;
            long nanos = 0;
            long cpuNanos = 0;
            for (Clients.Turn turn : turns) {
                if (turn.floor() == floor) {
                    answers += turn.answers();
                    nanos += turn.nanos();
                    cpuNanos += turn.cpuNanos();
                }
            }
            return new Total(answers * 1e9 / nanos, cpuNanos / 1e3 / answers);
        }
    }

    private HttpComparison(Front floor) {
        this.floor = floor;
    }

    public static void main(String[] arguments) throws Exception {
        Front floor = Front.valueOf(System.getProperty("beside", Front.BARE.name()));
        HttpComparison comparison = new HttpComparison(floor);
        try (RedisServer redis = RedisServer.start()) {
            for (int start = 1; start <= STARTS; start++) {
                for (Front front : fronts(System.getProperty("fronts", ""), floor)) {
                    try (Served process = Served.start(floor, front, redis.port())) {
                        warmUp(process);
                        comparison.measure(process, start);
                    }
                }
            }
        }
        System.out.println(comparison.table());
    }

    /** Warms up with pauses, in which the JIT compiler has the processors to itself: clients without pauses starve it for minutes. */
    private static void warmUp(Served process) throws Exception {
        Clients.first(process.floor);
        Clients.first(process.other);
        for (int i = 0; i < WARM_UPS; i++) {
            Clients.turns(process, 4, WARM_UP_MILLIS);
            Thread.sleep(QUIET_MILLIS);
        }
    }

    /** The named fronts, or all if none is named, without the floor. */
    private static Set<Front> fronts(String names, Front floor) {
        if (names.isEmpty()) {
            return EnumSet.complementOf(EnumSet.of(Front.BARE, floor));
        }
        Set<Front> fronts = EnumSet.noneOf(Front.class);
        for (String name : names.split(",", -1)) {
            fronts.add(Front.valueOf(name));
        }
        fronts.remove(floor);
        return fronts;
    }

    private void measure(Served process, int start) throws Exception {
        Front front = process.other.front();
        int fours = (int) (MILLIS / front.turnMillis() / 4);
        List<Clients.Turn> turns = Clients.turns(process, 4 + 4 * fours, front.turnMillis());
        List<Clients.Turn> ready = turns.subList(4, turns.size()); // all clients are connected by now
        Total least = Total.of(ready, true);
        Total total = Total.of(ready, false);
        double rate = total.perSecond / least.perSecond;
        double work = total.cpuMicros / least.cpuMicros;
        add(perSecond, floor, least.perSecond);
        add(perSecond, front, total.perSecond);
        add(ofFloor, front, rate);
        add(cpu, floor, least.cpuMicros);
        add(cpu, front, total.cpuMicros);
        add(cpuOfFloor, front, work);
        System.err.printf(
                Locale.ROOT, "%d/%d %s: %.2f of the rate, %.2f of the work%n", start, STARTS, front.label, rate, work);
    }

    private static void add(Map<Front, List<Double>> values, Front front, double value) {
        values.computeIfAbsent(front, missing -> new ArrayList<>()).add(value);
    }

    private String table() {
        String of = floor == Front.BARE ? "of bare" : "of " + floor;
        StringBuilder table = new StringBuilder("| in front of the endpoint | requests/s | " + of
                + " | CPU of the server in us | " + of + " |\n|---|---|---|---|---|\n");
        perSecond.forEach((front, rates) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.0f | %s | %.1f | %s |%n",
                front.label,
                Spread.of(rates).median(),
                Spread.of(ofFloor.getOrDefault(front, List.of(1.0))),
                Spread.of(cpu.getOrDefault(front, List.of())).median(),
                Spread.of(cpuOfFloor.getOrDefault(front, List.of(1.0))))));
        return table.toString();
    }
}
