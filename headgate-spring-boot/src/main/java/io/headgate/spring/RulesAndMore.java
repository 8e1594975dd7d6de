package io.headgate.spring;

import io.headgate.http.Checkpoint;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Rules, and the limits of one handler behind them, so that a request makes one pass. A rule that is both is checked once, as
 * the handler says.
 *
 * @param without names of rules to leave out
 */
public record RulesAndMore(RuleSet rules, List<Checkpoint> own, Set<String> without) implements RuleSet {

    public RulesAndMore {
        own = List.copyOf(own);
        without = Set.copyOf(without);
    }

    /** Limits without any rules. */
    public static RuleSet only(List<Checkpoint> own) {
        return new RulesAndMore(RuleSet.EMPTY, own, Set.of());
    }

    @Override
    public List<Checkpoint> match(Rule.Stage stage, String method, String path) {
        return due(rules.match(stage, method, path), own, without);
    }

    /** The rules that matched and the limits of the handler, but for those left out. */
    public static List<Checkpoint> due(List<Checkpoint> matched, List<Checkpoint> own, Set<String> without) {
        List<Checkpoint> due = new ArrayList<>(matched);
        due.removeIf(rule -> own.stream().anyMatch(point -> sameName(point, rule)));
        due.addAll(own);
        due.removeIf(point -> without.contains(point.rule().name()));
        return due;
    }

    private static boolean sameName(Checkpoint one, Checkpoint other) {
        return one.rule().name().equals(other.rule().name());
    }

    @Override
    public List<Checkpoint> checkpoints() {
        return rules.checkpoints();
    }

    @Override
    public Explanation explain(String method, String path) {
        return rules.explain(method, path);
    }
}
