package io.headgate.spring.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.http.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A rule as it is written in YAML; the words are those of {@link Rule}.
 *
 * @param name what the rule is called; it names the budget
 * @param path Ant patterns of the requests it is about
 * @param exclude patterns of those it is not about after all
 * @param methods the methods it is about; all, if empty
 * @param priority the higher one comes first; among equals the more specific path
 * @param subject who is limited: the first of these that is present
 * @param limits such as 100/min burst 20; all of them hold
 * @param algorithm of every limit
 * @param cost how many permits a request takes
 * @param costResolver the name of the CostResolver bean to ask instead
 * @param planResolver the name of the PlanResolver bean to ask for the limits of a subject
 * @param missing what becomes of a request without the subject
 * @param match whether the rule gives way to others
 * @param behavior whether requests are held to it
 * @param bypass addresses, blocks of addresses and subjects that are never limited
 * @param onStoreFailure what becomes of a request when the store cannot answer
 * @param stage before Spring Security, or right before the handler
 */
public record RuleProperties(
        @DefaultValue("") String name,
        @DefaultValue List<String> path,
        @DefaultValue List<String> exclude,
        @DefaultValue List<String> methods,
        @DefaultValue("0") int priority,
        @DefaultValue("ip") List<String> subject,
        @DefaultValue List<String> limits,
        @Nullable String algorithm,
        @DefaultValue("1") long cost,
        @Nullable String costResolver,
        @Nullable String planResolver,
        @DefaultValue("fall-back") Rule.Missing missing,
        @DefaultValue("first") Rule.Match match,
        @DefaultValue("enforce") Rule.Behavior behavior,
        @DefaultValue List<String> bypass,
        @Nullable FailurePolicy onStoreFailure,
        @DefaultValue("handler") Rule.Stage stage) {

    /** The rule; it does as the application does where it says nothing about failures of the store. */
    Rule rule(FailurePolicy usual) {
        return new Rule(
                name,
                path,
                exclude,
                methods,
                priority,
                subject,
                limits,
                algorithm,
                cost,
                costResolver,
                planResolver,
                missing,
                match,
                behavior,
                bypass,
                onStoreFailure != null ? onStoreFailure : usual,
                stage);
    }
}
