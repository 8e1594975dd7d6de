package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.method.InvalidLimitException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports what is wrong with an annotation instead of where the code detected it. */
@Order(Ordered.HIGHEST_PRECEDENCE) // other analyzers would report only its cause
final class InvalidLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLimitException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidLimitException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), "Correct the annotation.", cause);
    }
}
