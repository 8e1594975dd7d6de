package io.headgate.spring.autoconfigure;

import io.headgate.spring.method.InvalidLimitException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says what is wrong with an annotation instead of where the code noticed it. */
@Order(Ordered.HIGHEST_PRECEDENCE) // others know only what stands behind it
final class InvalidLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLimitException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidLimitException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), "Correct the annotation.", cause);
    }
}
