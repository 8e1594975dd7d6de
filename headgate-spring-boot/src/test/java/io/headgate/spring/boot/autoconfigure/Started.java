package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Rule;
import io.headgate.spring.RuleStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What tests ask of an application that was started, or was not. */
final class Started {

    private Started() {}

    /** The rules in force, as they were written. */
    static List<Rule> rules(RuleStore store) {
        return store.get().rules();
    }

    /** Sees that the start-up stops, and that this is among what is said about it. */
    static void assertStops(ApplicationContextRunner application, String... said) {
        application.run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()))
                    .as("no analysis of %s", context.getStartupFailure())
                    .hasValueSatisfying(analysis -> assertThat(analysis.getDescription() + " " + analysis.getAction())
                            .contains(said));
        });
    }

    /**
     * By the first of all analyzers that has something to say, as it is printed at the start. Ours are asked last among equals: whose
     * jar comes first is chance.
     */
    private static Optional<FailureAnalysis> analysis(Throwable failure) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                                .and(Environment.class, new StandardEnvironment()),
                        FailureHandler.handleMessage((message, missing) -> {})); // some are for what is not here
        return analyzers.stream()
                .sorted(Comparator.comparing(each -> each.getClass().getPackage() == Started.class.getPackage()))
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .flatMap(analyzer -> Stream.ofNullable(analyzer.analyze(failure)))
                .findFirst();
    }
}
