package io.headgate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method of a bean is called; on a type, each of its public methods, and of its handlers,
 * that has none of its own.
 *
 * <pre>{@code
 * @RateLimit("10/min")
 * @RateLimit(limit = 10, window = "60s", algorithm = "sliding-window", key = "#userId", cost = "#items.size()")
 * @RateLimit(rule = "login")
 * }</pre>
 *
 * <p>It may be on an interface, whatever is behind it: a class, a repository, an HTTP client. A method or type that has it
 * replaces what it overrides or extends.
 *
 * <p>Expressions are SpEL over the arguments of the method, by name; they see neither beans nor types. What can never be
 * evaluated stops the start-up.
 */
@Documented
@Repeatable(RateLimits.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimit {

    /** The limits in their text form, such as {@code 10/min}; instead of {@link #limit} and {@link #window}. */
    String[] value() default {};

    /** How many calls there may be in each {@link #window}. */
    long limit() default 100;

    /** Over how long {@link #limit} counts: {@code 60s}, {@code 5min}, {@code PT1H}. */
    String window() default "60s";

    /** The algorithm of every limit. */
    String algorithm() default "";

    /**
     * Who is limited, by the {@code toString} of the value, which must have one of its own, or by the name of a principal. Without: on methods that handle requests
     * the client's address, elsewhere everybody together.
     */
    String key() default "";

    /** How many permits a call takes; without, 1, or what the {@link #rule} says. In digits, no more than the limits ever grant. */
    String cost() default "";

    /** The rule whose limits these are, and whose budget. It says everything but {@link #key} and {@link #cost}. */
    String rule() default "";

    /**
     * What the limit is called in headers and metrics; without, {@code OrderService#list}. It names the budget: no rule has it,
     * and whoever else says it has the same limits. Printable ASCII characters, at most 100, without quotes, backslashes and colons.
     */
    String name() default "";

    /**
     * The method to call instead when refused: in the same class, with the same parameters, and a
     * {@link RateLimitExceededException} behind them if it wants to know; on an interface that nobody implements, a default
     * method. On methods that handle requests it needs a {@link #key}: without one a request is refused before it comes to a call.
     */
    String fallback() default "";
}
