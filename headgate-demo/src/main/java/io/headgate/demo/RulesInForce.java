package io.headgate.demo;

import io.headgate.Limit;
import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

        static Row of(Rule rule) {
            return new Row(
                    rule.name(),
                    String.join(", ", rule.paths()),
                    String.join(", ", rule.subject()),
                    String.join(", ", rule.limits()),
                    Objects.requireNonNullElse(rule.algorithm(), Limit.DEFAULT_ALGORITHM),
                    rule.behavior().name().toLowerCase(Locale.ROOT));
        }
    }

    @GetMapping("/rules")
    List<Row> rows() {
        return rules.get().checkpoints().stream()
                .map(Checkpoint::rule)
                .map(Row::of)
                .toList();
    }
}
