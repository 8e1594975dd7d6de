package io.headgate.spring.boot.source;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import java.util.List;
import java.util.Set;
import org.springframework.core.env.PropertySource;

/** Parses rules from properties. */
public interface RuleReader {

    /** The prefix of all properties of rules. */
    String ROOT = "headgate.rules";

    /** The names of the properties that a rule can have, such as {@code on-store-failure}. */
    Set<String> words();

    /**
     * Reads the rules from the properties {@code headgate.rules[0].name} and so on, or {@code headgate.rules.api.path} and so on.
     *
     * @throws InvalidRulesException with all properties and values that are invalid
     */
    List<Rule> read(PropertySource<?> written);
}
