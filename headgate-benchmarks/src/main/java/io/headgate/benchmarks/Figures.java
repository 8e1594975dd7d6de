package io.headgate.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** All measurements of one run. */
final class Figures {

    private final Map<Scenario, Map<Contender, List<Sample>>> samples = new EnumMap<>(Scenario.class);
    private final Map<Contender, Double> heapPerKey = new EnumMap<>(Contender.class);

    void add(Scenario scenario, Contender contender, Sample sample) {
        samples.computeIfAbsent(scenario, missing -> new EnumMap<>(Contender.class))
                .computeIfAbsent(contender, missing -> new ArrayList<>())
                .add(sample);
    }

    void addHeapPerKey(Contender contender, double bytes) {
        heapPerKey.put(contender, bytes);
    }

    @Nullable
    Spread nanos(Scenario scenario, Contender contender) {
        return spread(scenario, contender, Sample::nanos);
    }

    @Nullable
    Spread bytes(Scenario scenario, Contender contender) {
        return spread(scenario, contender, Sample::bytes);
    }

    /** The time as a multiple of the floor. Each fork is compared with the floor's fork of the same round, which ran under similar load. */
    @Nullable
    Spread ratio(Scenario scenario, Contender contender) {
        List<Sample> its = samples(scenario, contender);
        List<Sample> floors = samples(scenario, Contender.FLOOR);
        if (its.isEmpty()) {
            return null;
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < its.size(); round++) {
            ratios.add(its.get(round).nanos() / floors.get(round).nanos());
        }
        return Spread.of(ratios);
    }

    @Nullable
    Double heapPerKey(Contender contender) {
        return heapPerKey.get(contender);
    }

    private @Nullable Spread spread(Scenario scenario, Contender contender, ToDoubleFunction<Sample> figure) {
        List<Sample> its = samples(scenario, contender);
        return its.isEmpty()
                ? null
                : Spread.of(its.stream().mapToDouble(figure).boxed().toList());
    }

    private List<Sample> samples(Scenario scenario, Contender contender) {
        return samples.getOrDefault(scenario, Map.of()).getOrDefault(contender, List.of());
    }
}
