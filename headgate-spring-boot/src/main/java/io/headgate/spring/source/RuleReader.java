package io.headgate.spring.source;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import java.util.List;
import java.util.Set;
import org.springframework.core.env.PropertySource;

/** Knows how rules are written. */
public interface RuleReader {

    /** What all of it stands under. */
    String ROOT = "headgate.rules";

    /** The words of a rule, such as {@code on-store-failure}. */
    Set<String> words();

    /**
     * The rules that are written as {@code headgate.rules[0].name} and so on.
     *
     * @throws InvalidRulesException with everything that cannot be understood
     */
    List<Rule> read(PropertySource<?> written);
}
