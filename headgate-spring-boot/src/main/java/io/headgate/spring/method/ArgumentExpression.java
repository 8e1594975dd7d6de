package io.headgate.spring.method;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression over the arguments of a method, parsed once. It sees the arguments, by name and as {@code #p0}, and nothing
 * else: no beans, no types, no constructors.
 */
final class ArgumentExpression {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser(
            new SpelParserConfiguration(SpelCompilerMode.MIXED, ArgumentExpression.class.getClassLoader()));

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private static final TextConverter TEXT = new TextConverter();

    private final Expression expression;
    private final String[] names;

    private ArgumentExpression(Expression expression, String[] names) {
        this.expression = expression;
        this.names = names;
    }

    /** @throws IllegalArgumentException if it cannot be read, or refers to anything but arguments and literals */
    static ArgumentExpression parse(String text, Method method) {
        @Nullable String @Nullable [] found = NAMES.getParameterNames(method);
        String[] names = names(method, found);
        Expression expression;
        try {
            expression = PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new IllegalArgumentException("'" + text + "' is not an expression: " + e.getMessage(), e);
        }
        Set<String> known = new LinkedHashSet<>();
        for (int i = 0; i < names.length; i++) {
            known.add("#" + names[i]);
            known.add("#p" + i);
        }
        new ExpressionCheck(text, known, found != null).check(((SpelExpression) expression).getAST());
        return new ArgumentExpression(expression, names);
    }

    private static String[] names(Method method, @Nullable String @Nullable [] found) {
        String[] names = new String[method.getParameterCount()];
        for (int i = 0; i < names.length; i++) {
            String name = found == null ? null : found[i];
            names[i] = name == null ? "a" + i : name;
        }
        return names;
    }

    @Nullable
    Object value(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .withTypeConverter(TEXT)
                .build();
        for (int i = 0; i < names.length; i++) {
            context.setVariable(names[i], arguments[i]);
            context.setVariable("p" + i, arguments[i]);
        }
        return expression.getValue(context);
    }
}
