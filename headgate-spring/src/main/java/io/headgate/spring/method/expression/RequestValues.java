package io.headgate.spring.method.expression;

import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * What a key reads of the request that its handler is called for, as the subjects {@code ip} and {@code header:NAME} of a rule would.
 *
 * <p>A value that is missing is {@code null} where the key can deal with that, as in {@code #header('X') ?: #client}. Anywhere else, as
 * in {@code #header('X') + #id}, the whole key is missing: as part of a text, a missing value would be like one that a client sends.
 */
public final class RequestValues {

    private static final Map<String, MethodHandle> FUNCTIONS = Map.of(
            "optionalClient", function("optionalClient"),
            "neededClient", function("neededClient"),
            "optionalHeader", function("optionalHeader", String.class),
            "neededHeader", function("neededHeader", String.class));

    /** The end of the names of functions for what is only tested: what they read is no part of the key. */
    static final String IN_TEST = "InTest";

    private final Source source;
    private final @Nullable RequestView request;
    private boolean foundHeader;

    private RequestValues(Source source, @Nullable RequestView request) {
        this.source = source;
        this.request = request;
    }

    /** Ends the evaluation of a key that needs a missing value. */
    public static final class Missing extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Missing() {
            super("missing", null, false, false); // without a stack trace: clients decide how often it is thrown
        }
    }

    /** Reads the values from requests. */
    public static final class Source {

        private final Subjects subjects;
        private final Map<String, SubjectResolver> resolvers = new ConcurrentHashMap<>();

        public Source(Subjects subjects) {
            this.subjects = subjects;
        }

        private SubjectResolver resolver(String word) {
            return resolvers.computeIfAbsent(word, each -> subjects.resolver(List.of(each), Rule.Missing.SKIP));
        }

        SubjectResolver client() {
            return resolver("ip");
        }

        /** @throws IllegalArgumentException if no header can have that name */
        SubjectResolver header(String name) {
            return resolver("header:" + name);
        }

        /** Lets an expression in that context read a request. */
        RequestValues show(@Nullable RequestView request, EvaluationContext context) {
            RequestValues values = new RequestValues(this, request);
            RequestValues tested = new RequestValues(this, request);
            FUNCTIONS.forEach((name, function) -> {
                context.setVariable(name, function.bindTo(values));
                context.setVariable(name + IN_TEST, function.bindTo(tested));
            });
            return values;
        }
    }

    /** Whether a header has been found for the key. */
    boolean foundHeader() {
        return foundHeader;
    }

    @Nullable
    String optionalClient() {
        return value(source.client());
    }

    String neededClient() {
        return needed(optionalClient());
    }

    @Nullable
    String optionalHeader(String name) {
        String value = value(source.header(name));
        foundHeader |= value != null;
        return value;
    }

    String neededHeader(String name) {
        return needed(optionalHeader(name));
    }

    private @Nullable String value(SubjectResolver resolver) {
        return request != null && resolver.resolve(request) instanceof Subject.Present found ? found.value() : null;
    }

    private static String needed(@Nullable String value) {
        if (value == null) {
            throw new Missing();
        }
        return value;
    }

    private static MethodHandle function(String name, Class<?>... parameters) {
        try {
            return MethodHandles.lookup()
                    .findVirtual(RequestValues.class, name, MethodType.methodType(String.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
