package io.headgate.spring.method;

import io.headgate.http.Subject;
import io.headgate.spring.method.expression.ArgumentExpression;
import io.headgate.spring.method.expression.RequestValues;
import io.headgate.spring.method.expression.StableText;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Finds the subject of a call in its arguments. */
final class KeyExpression implements Function<InvocationView, Subject> {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final String KEY = "key";

    /** The kind of what a key falls back to for want of a header, so that no header can spell it. */
    private static final String WITHOUT_HEADER = "key-without-header";

    private final String text;
    private final String place;
    private final ArgumentExpression expression;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param request reads the request that the method is called for; {@code null} if the method does not handle requests
     * @throws IllegalArgumentException if the text is not an expression, or does not fit the method
     */
    KeyExpression(String text, Method method, Class<?> type, RequestValues.@Nullable Source request) {
        this.text = text;
        this.place = type.getName() + "#" + method.getName();
        this.expression = ArgumentExpression.parse(text, method, request);
        expression.warnOfDoubts(place);
    }

    /** Whether it reads the request. */
    boolean readsRequest() {
        return expression.readsRequest();
    }

    @Override
    public Subject apply(InvocationView call) {
        try {
            ArgumentExpression.Result key = expression.evaluate(call.arguments(), call.request());
            return key.value() == null
                    ? Subject.absent()
                    : Subject.of(key.withoutHeader() ? WITHOUT_HEADER : KEY, StableText.of(key.value()));
        } catch (RequestValues.Missing e) {
            return Subject.absent();
        } catch (StableText.Missing e) {
            throw useless(e);
        } catch (RuntimeException e) {
            expression.failed(place, "key", e);
            throw e;
        }
    }

    /** Fails the key: a text that is different for every call would give each one a full budget. */
    private IllegalStateException useless(StableText.Missing cause) {
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
