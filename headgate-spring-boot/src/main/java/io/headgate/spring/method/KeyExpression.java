package io.headgate.spring.method;

import io.headgate.http.Subject;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Finds the subject of a call in its arguments. */
final class KeyExpression implements Function<InvocationView, Subject> {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final String text;
    private final String place;
    private final ArgumentExpression expression;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** @throws IllegalArgumentException if the text is not an expression, or does not fit the method */
    KeyExpression(String text, Method method, Class<?> type) {
        this.text = text;
        this.place = type.getName() + "#" + method.getName();
        this.expression = ArgumentExpression.parse(text, method);
        expression.warnOfDoubts(place);
    }

    @Override
    public Subject apply(InvocationView call) {
        try {
            Object value = expression.value(call.arguments());
            return value == null ? Subject.absent() : Subject.of("key", OwnText.of(value));
        } catch (OwnText.Missing e) {
            throw useless(e);
        } catch (RuntimeException e) {
            expression.failed(place, "key", e);
            throw e;
        }
    }

    /** Fails the key: a text that is different for every call would give each one a full budget. */
    private IllegalStateException useless(OwnText.Missing cause) {
        String example = text.matches("#\\w+") ? text : "#user";
        String problem = "@RateLimit on " + place + ": key '" + text + "' identifies nobody, since "
                + cause.getMessage()
                + ", so on-store-failure decides on such calls; use a value that identifies the caller, such as "
                + example + ".id";
        if (warned.compareAndSet(false, true)) {
            LOG.warn(problem);
        }
        return new IllegalStateException(problem, cause);
    }
}
