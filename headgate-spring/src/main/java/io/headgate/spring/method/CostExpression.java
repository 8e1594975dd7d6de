package io.headgate.spring.method;

import io.headgate.http.CostResolver;
import io.headgate.http.RequestView;
import io.headgate.spring.method.expression.ArgumentExpression;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Computes the cost of a call from its arguments. A fraction is rounded up, against the caller. */
final class CostExpression implements CostResolver {

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private final ArgumentExpression expression;
    private final String place;

    private CostExpression(ArgumentExpression expression, String place) {
        this.expression = expression;
        this.place = place;
    }

    /**
     * The resolver for the text of a cost: a {@link FixedCost} if the cost is the same for every call.
     *
     * @throws IllegalArgumentException if the text is not a cost
     */
    static CostResolver of(String text, Method method, Class<?> type) {
        if (text.chars().allMatch(Character::isDigit)) {
            return new FixedCost(rounded(new BigDecimal(text)));
        }
        ArgumentExpression expression = ArgumentExpression.parse(text, method);
        if (expression.isConstant()) {
            return new FixedCost(cost(expression.value(new Object[method.getParameterCount()])));
        }
        Class<?> value = expression.type() == null ? null : ClassUtils.resolvePrimitiveIfNecessary(expression.type());
        if (value != null
                && !Number.class.isAssignableFrom(value)
                && !value.isAssignableFrom(Number.class)
                && !value.isInterface()) {
            throw new IllegalArgumentException("a cost must be a number, but '" + text + "' is a " + value.getName());
        }
        CostExpression cost = new CostExpression(expression, type.getName() + "#" + method.getName());
        expression.warnOfDoubts(cost.place);
        return cost;
    }

    @Override
    public long cost(RequestView call) {
        try {
            return cost(expression.value(((InvocationView) call).arguments()));
        } catch (RuntimeException e) {
            expression.failed(place, "cost", e);
            throw e;
        }
    }

    private static long cost(@Nullable Object value) {
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number)) {
                throw new IllegalArgumentException("a cost must be a number, not NaN");
            }
            return (long) Math.ceil(number);
        }
        if (value instanceof BigDecimal number) {
            return rounded(number);
        }
        if (value instanceof BigInteger number) {
            return rounded(new BigDecimal(number));
        }
        if (value instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalArgumentException("a cost must be a number, not "
                + (value == null ? "null" : "a " + value.getClass().getName()));
    }

    private static long rounded(BigDecimal number) {
        if (number.signum() <= 0) {
            return 0;
        }
        return number.compareTo(MOST) >= 0
                ? Long.MAX_VALUE
                : number.setScale(0, RoundingMode.CEILING).longValueExact();
    }
}
