package io.headgate.demo;

import io.headgate.Limit;
import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.spring.RuleStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the rules in force for the demo page. */
@RestController
class RulesInForce {

    private final RuleStore rules;

    RulesInForce(RuleStore rules) {
        this.rules = rules;
    }

    /** One row of the page. */
    record Row(String name, String paths, String subject, String limits, String algorithm, String behavior) {

        static Row of(Rule rule, BoundRule bound) {
            return new Row(
                    rule.name(),
                    String.join(", ", rule.paths()),
                    String.join(", ", rule.subject()),
                    String.join(", ", rule.limits()),
                    bound.plan().limits().stream()
                            .map(Limit::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")),
                    rule.behavior().name().toLowerCase(Locale.ROOT));
        }
    }

    @GetMapping("/rules")
    List<Row> rows() {
        RuleSet current = rules.get();
        List<Row> rows = new ArrayList<>();
        for (Rule rule : current.rules()) {
            BoundRule bound = current.boundRule(rule.name());
            if (bound != null) { // otherwise it is off
                rows.add(Row.of(rule, bound));
            }
        }
        return rows;
    }
}
