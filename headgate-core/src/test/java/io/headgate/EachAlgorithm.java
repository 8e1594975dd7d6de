package io.headgate;

import io.headgate.algorithm.BuiltIn;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A test of every built-in algorithm, given its id. */
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(EachAlgorithm.Ids.class)
public @interface EachAlgorithm {

    /** The ids of those that the test is not about. */
    String[] except() default {};

    final class Ids extends AnnotationBasedArgumentsProvider<EachAlgorithm> {

        @Override
        protected Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context, EachAlgorithm each) {
            return BuiltIn.algorithms().stream()
                    .map(Algorithm::id)
                    .filter(id -> !List.of(each.except()).contains(id))
                    .map(Arguments::of);
        }
    }
}
