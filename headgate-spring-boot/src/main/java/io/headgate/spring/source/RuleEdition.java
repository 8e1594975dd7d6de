package io.headgate.spring.source;

import io.headgate.http.Rule;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rules as they were written down at one time.
 *
 * @param version another one for other rules
 * @param rules understands them, or throws an {@link io.headgate.http.InvalidRulesException} with all that is wrong
 */
public record RuleEdition(String version, Supplier<List<Rule>> rules) {}
