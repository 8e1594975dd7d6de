package io.headgate.spring.method;

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
 * An expression over the arguments of a method, parsed once. It sees the arguments, by name and as {@code #p0}, and nothing
 * else: no beans, no types, no constructors.
 */
final class ArgumentExpression {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private static final TextConverter TEXT = new TextConverter();

    private final String text;
    private final SpelExpression expression;
    private final Map<String, Integer> places;
    private final Members members;
    private final @Nullable Class<?> type;
    private final AtomicBoolean warned = new AtomicBoolean();

    // The same ones for every call, since they remember what they have found.
    private final PropertyAccessor properties = DataBindingPropertyAccessor.forReadOnlyAccess();
    private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

    private ArgumentExpression(String text, SpelExpression expression, Map<String, Integer> places, Method method) {
        this.text = text;
        this.expression = expression;
        this.places = places;
        Map<String, Class<?>> types = new LinkedHashMap<>();
        places.forEach((name, place) -> {
            if (!(method.getGenericParameterTypes()[place] instanceof TypeVariable)) { // of which more may be known
                types.put("#" + name, method.getParameterTypes()[place]);
            }
        });
        this.members = new Members(text, types);
        this.type = members.typeOf(expression.getAST());
    }

    /** @throws IllegalArgumentException if it cannot be read, refers to anything but arguments and literals, or can never be had */
    static ArgumentExpression parse(String text, Method method) {
        SpelExpression expression;
        try {
            expression = (SpelExpression) PARSER.parseExpression(text);
        } catch (ParseException | IllegalArgumentException e) { // the latter of a blank one
            throw new IllegalArgumentException("'" + text + "' is not an expression: " + e.getMessage(), e);
        }
        ParameterNames names = ParameterNames.of(method);
        List<String> known =
                names.places().keySet().stream().map(name -> "#" + name).toList();
        new ExpressionCheck(text, known, names.written()).check(expression.getAST());
        return new ArgumentExpression(text, expression, names.places(), method);
    }

    /** The type of its values; {@code null} if that cannot be told beforehand. */
    @Nullable
    Class<?> type() {
        return type;
    }

    /** The methods and fields that it finds by their names, as far as can be told beforehand. */
    List<Member> found() {
        return members.found();
    }

    /** Says in the log where it will fail, unless arguments are more than they are declared to be. */
    void warnOfDoubts(String place) {
        for (String doubt : members.doubts()) {
            LOG.warn("@RateLimit on " + place + ": " + doubt
                    + "; calls with arguments that do not have it either are settled as if the store had failed");
        }
    }

    /** Whether it is the same for every call. */
    boolean isConstant() {
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

    @Nullable
    Object value(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(properties)
                .withMethodResolvers(methods)
                .withAssignmentDisabled()
                .withTypeConverter(TEXT)
                .build();
        places.forEach((name, place) -> context.setVariable(name, arguments[place]));
        return expression.getValue(context);
    }

    /** Says in the log that it cannot be had, the first time: what then decides is not what the annotation says. */
    void failed(String place, String what, RuntimeException failure) {
        if (warned.compareAndSet(false, true)) {
            // What others say may repeat the arguments, which are nobody's business.
            String reason = failure instanceof EvaluationException
                    ? String.valueOf(failure.getMessage())
                    : failure.getClass().getName();
            LOG.warn("@RateLimit on " + place + ": the " + what + " '" + text
                    + "' cannot be had, and calls are settled as if the store had failed: " + reason);
        }
    }
}
