package io.headgate.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import io.headgate.spring.RuleStore;
import java.util.List;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What tests ask of an application that was started, or was not. */
final class Started {

    private Started() {}

    /** The rules in force, as they were written. */
    static List<Rule> rules(RuleStore store) {
        return store.get().checkpoints().stream().map(Checkpoint::rule).toList();
    }

    /** Sees that the start-up stops, and that this is among what is said about it. */
    static void assertStops(ApplicationContextRunner application, String... said) {
        application.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis)
                    .as("no analysis of %s", context.getStartupFailure())
                    .isNotNull();
            assertThat(analysis.getDescription() + " " + analysis.getAction()).contains(said);
        });
    }
}
