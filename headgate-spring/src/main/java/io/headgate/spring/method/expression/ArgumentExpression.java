package io.headgate.spring.method.expression;

import io.headgate.http.RequestView;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.ParseException;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression over the arguments of a method, parsed once. It sees the arguments, by name and as {@code #p0}, and possibly the
 * {@linkplain RequestValues request}, and nothing else: no beans, no types, no constructors.
 */
public final class ArgumentExpression {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private static final TextConverter TEXT = new TextConverter();

    private final String text;
    private final SpelExpression expression;
    private final Map<String, Integer> places;
    private final RequestValues.@Nullable Source request;
    private final boolean yieldsHeader;
    private final SpelMembers members;
    private final @Nullable Class<?> type;
    private final AtomicBoolean warned = new AtomicBoolean();

    // Shared by all calls, since they cache the members they have found.
    private final PropertyAccessor properties = DataBindingPropertyAccessor.forReadOnlyAccess();
    private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

    private ArgumentExpression(
            String text,
            SpelExpression expression,
            Map<String, Integer> places,
            Method method,
            RequestValues.@Nullable Source request) {
        List<String> arguments = variables(places);
        String functions = RequestReferences.asFunctions(text, expression.getAST(), arguments);
        boolean reads = request != null && !functions.equals(text);
        this.text = text;
        this.expression = reads ? parse(functions) : expression;
        this.request = reads ? request : null;
        this.yieldsHeader = reads && RequestReferences.yieldHeader(expression.getAST());
        this.places = places;
        Map<String, Class<?>> types = new LinkedHashMap<>();
        places.forEach((name, place) -> {
            if (!(method.getGenericParameterTypes()[place] instanceof TypeVariable)) { // its bound may be too wide
                types.put("#" + name, method.getParameterTypes()[place]);
            }
        });
        types.putIfAbsent(RequestReferences.CLIENT, String.class);
        this.members = new SpelMembers(text, types);
        this.type = members.typeOf(expression.getAST());
    }

    /**
     * Parses an expression and checks it against the method.
     *
     * @throws IllegalArgumentException if it is not an expression, refers to anything but arguments and literals, or can never be
     *     evaluated
     */
    public static ArgumentExpression parse(String text, Method method) {
        return parse(text, method, null);
    }

    /**
     * As {@link #parse(String, Method)}.
     *
     * @param request reads the request; {@code null} if the expression must not
     */
    public static ArgumentExpression parse(String text, Method method, RequestValues.@Nullable Source request) {
        SpelExpression expression = parse(text);
        ParameterNames names = ParameterNames.of(method);
        new ExpressionCheck(text, variables(names.places()), names.written(), request != null)
                .check(expression.getAST());
        ArgumentExpression parsed = new ArgumentExpression(text, expression, names.places(), method, request);
        if (parsed.request != null) {
            RequestReferences.headers(expression.getAST()).forEach(parsed.request::header);
        }
        return parsed;
    }

    private static SpelExpression parse(String text) {
        try {
            return (SpelExpression) PARSER.parseExpression(text);
        } catch (ParseException | IllegalArgumentException e) { // the latter if the text is blank
            throw new IllegalArgumentException("'" + text + "' is not an expression: " + e.getMessage(), e);
        }
    }

    private static List<String> variables(Map<String, Integer> places) {
        return places.keySet().stream().map(name -> "#" + name).toList();
    }

    /** Whether it reads the request. */
    public boolean readsRequest() {
        return request != null;
    }

    /** The type of its value; {@code null} if that is unknown before a call. */
    public @Nullable Class<?> type() {
        return type;
    }

    /** The methods and fields that it finds by name, as far as they are known before a call. */
    public List<Member> members() {
        return members.found();
    }

    /** Logs which members the declared types of the arguments do not have: the expression fails unless a value has them. */
    public void warnOfDoubts(String place) {
        for (String doubt : members.doubts()) {
            LOG.warn("@RateLimit on " + place + ": " + doubt
                    + "; if the argument of a call does not have it either, on-store-failure decides on that call");
        }
    }

    /** Whether its value is the same for every call. */
    public boolean isConstant() {
        return isConstant(expression.getAST());
    }

    private static boolean isConstant(SpelNode node) {
        if (node instanceof VariableReference) {
            return false;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (!isConstant(node.getChild(i))) {
                return false;
            }
        }
        return true;
    }

    public @Nullable Object value(@Nullable Object[] arguments) {
        return evaluate(arguments, null).value();
    }

    /**
     * The value of an expression.
     *
     * @param withoutHeader whether it is what the expression falls back to, since it found none of the headers that it looks for
     */
    public record Result(@Nullable Object value, boolean withoutHeader) {}

    /**
     * Its value for a call.
     *
     * @throws RequestValues.Missing if it needs a part of the request that is missing
     */
    public Result evaluate(@Nullable Object[] arguments, @Nullable RequestView call) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(properties)
                .withMethodResolvers(methods)
                .withAssignmentDisabled()
                .withTypeConverter(TEXT)
                .build();
        if (request == null) {
            places.forEach((name, place) -> context.setVariable(name, arguments[place]));
            return new Result(expression.getValue(context), false);
        }
        RequestValues values = request.show(call, context);
        places.forEach((name, place) -> context.setVariable(name, arguments[place]));
        try {
            Object value = expression.getValue(context);
            return new Result(value, yieldsHeader && !values.foundHeader());
        } catch (EvaluationException e) {
            throw e.getCause() instanceof RequestValues.Missing missing ? missing : e;
        }
    }

    /** Logs the first failure to evaluate it: the failure policy then decides, and not what the annotation specifies. */
    public void failed(String place, String what, RuntimeException failure) {
        if (warned.compareAndSet(false, true)) {
            // The message of any other exception may contain the arguments, which do not belong in the log.
            String reason = failure instanceof EvaluationException
                    ? String.valueOf(failure.getMessage())
                    : failure.getClass().getName();
            LOG.warn("@RateLimit on " + place + ": the " + what + " '" + text
                    + "' cannot be evaluated, so on-store-failure decides on such calls (logged once): " + reason);
        }
    }
}
