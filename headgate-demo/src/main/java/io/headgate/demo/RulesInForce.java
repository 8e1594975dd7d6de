package io.headgate.demo;

import io.headgate.Limit;
import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import io.headgate.spring.RuleStore;
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

        static Row of(BoundRule point) {
            Rule rule = point.rule();
            return new Row(
                    rule.name(),
                    String.join(", ", rule.paths()),
                    String.join(", ", rule.subject()),
                    String.join(", ", rule.limits()),
                    point.limiter().plan().limits().stream()
                            .map(Limit::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")),
                    rule.behavior().name().toLowerCase(Locale.ROOT));
        }
    }

    @GetMapping("/rules")
    List<Row> rows() {
        return rules.get().boundRules().stream().map(Row::of).toList();
    }
}
