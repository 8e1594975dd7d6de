package io.headgate.spring.boot.source;

import io.headgate.http.Rule;
import java.util.List;
import java.util.function.Supplier;

/**
 * A snapshot of the rules in an origin.
 *
 * @param version differs between editions with different rules
 * @param rules parses the rules, or throws an {@link io.headgate.http.InvalidRulesException} with all problems
 */
public record RuleEdition(String version, Supplier<List<Rule>> rules) {}
