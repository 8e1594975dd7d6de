package io.headgate.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every contender in every scenario and prints one table.
 *
 * <p>A round measures each contender in one fork; there are as many rounds as forks. So a temporary load from elsewhere affects
 * all contenders, and every fork is compared with the floor's fork of the same round. Within a scenario each round begins with the
 * floor, followed by a different contender each time.
 *
 * <p>Arguments, all optional: {@code quick} for two rounds, {@code forks=7}, {@code scenarios=one-key,denied},
 * {@code contenders=token-bucket,bucket4j} (the floor always takes part), {@code heap=no}.
 */
public final class Comparison {

    /** The contenders whose heap is not measured, because they keep the same state for a key as another contender. */
    private static final Set<Contender> KEPT_AS_ANOTHER =
            EnumSet.of(Contender.FLOOR_RETRIED, Contender.TOKEN_BUCKET_ODD, Contender.RESILIENCE4J_REMAINING);

    private final Arguments arguments;
    private final Figures figures = new Figures();

    private Comparison(Arguments arguments) {
        this.arguments = arguments;
    }

    /** The arguments of the command line. */
    private record Arguments(int forks, Set<Scenario> scenarios, Set<Contender> contenders, boolean heap) {

        static Arguments parse(String[] given) {
            Arguments result = new Arguments(5, EnumSet.allOf(Scenario.class), EnumSet.allOf(Contender.class), true);
            for (String argument : given) {
                result = result.with(argument);
            }
            return result;
        }

        private Arguments with(String argument) {
            String value = argument.substring(argument.indexOf('=') + 1);
            return switch (argument.substring(0, argument.length() - value.length())) {
                case "forks=" -> new Arguments(Integer.parseInt(value), scenarios, contenders, heap);
                case "scenarios=" -> new Arguments(forks, list(Scenario.class, value), contenders, heap);
                case "contenders=" -> new Arguments(forks, scenarios, list(Contender.class, value), heap);
                case "heap=" -> new Arguments(forks, scenarios, contenders, !value.equals("no"));
                default -> {
                    if (!argument.equals("quick")) {
                        throw new IllegalArgumentException("not an argument: '" + argument
                                + "'; there are quick, forks=, scenarios=, contenders= and heap=no");
                    }
                    yield new Arguments(2, scenarios, contenders, heap);
                }
            };
        }

        private static <E extends Enum<E>> Set<E> list(Class<E> type, String value) {
            return Stream.of(value.split(","))
                    .map(name ->
                            Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_')))
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(type)));
        }

        boolean includes(Contender contender) {
            return contender == Contender.FLOOR || contenders.contains(contender);
        }
    }

    public static void main(String[] arguments) throws RunnerException {
        Comparison comparison = new Comparison(Arguments.parse(arguments));
        System.err.printf(
                Locale.ROOT,
                "load average %.1f on %d processors%n",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        comparison.measureTime();
        comparison.measureHeap();
        System.out.println(new Report(comparison.figures));
    }

    private void measureTime() throws RunnerException {
        for (int round = 0; round < arguments.forks; round++) {
            for (Scenario scenario : arguments.scenarios) {
                List<Contender> contenders = scenario.contenders().stream()
                        .filter(arguments::includes)
                        .collect(Collectors.toList());
                Collections.rotate(contenders.subList(1, contenders.size()), -round);
                for (Contender contender : contenders) {
                    Sample sample = measure(scenario, contender);
                    figures.add(scenario, contender, sample);
                    System.err.printf(
                            Locale.ROOT,
                            "%d/%d %s, %s: %.1f ns, %.0f bytes%n",
                            round + 1,
                            arguments.forks,
                            scenario.label,
                            contender,
                            sample.nanos(),
                            sample.bytes());
                }
            }
        }
    }

    private static Sample measure(Scenario scenario, Contender contender) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include("^\\Q" + Scenarios.class.getName() + "." + scenario.method + "\\E$")
                        .param("contender", contender.name())
                        .forks(1)
                        .jvmArgs(
                                "-Xms3g",
                                "-Xmx3g",
                                "-XX:+AlwaysPreTouch") // otherwise allocation pays for the first touch of each page
                        .warmupIterations(6)
                        .warmupTime(TimeValue.milliseconds(500))
                        .measurementIterations(10)
                        .measurementTime(TimeValue.milliseconds(200))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle();
        double nanos = result.getPrimaryResult().getStatistics().getPercentile(50);
        Result<?> allocation =
                Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"));
        return new Sample(nanos, allocation.getScore());
    }

    private void measureHeap() {
        for (Contender contender : Contender.values()) {
            if (arguments.heap && arguments.includes(contender) && !KEPT_AS_ANOTHER.contains(contender)) {
                double bytes = HeapPerKey.of(contender);
                figures.addHeapPerKey(contender, bytes);
                System.err.printf(Locale.ROOT, "heap per key, %s: %.1f bytes%n", contender, bytes);
            }
        }
    }
}
