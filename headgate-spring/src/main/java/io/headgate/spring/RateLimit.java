package io.headgate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method of a bean is called. On a type, it limits each public method and each request handler that has no
 * {@code @RateLimit} of its own.
 *
 * <pre>{@code
 * @RateLimit("10/min")
 * @RateLimit(limit = 10, window = "60s", algorithm = "sliding-window", key = "#userId", cost = "#items.size()")
 * @RateLimit(rule = "login")
 * }</pre>
 *
 * <p>It may be on an interface, whatever implements it: a class, a repository, an HTTP client. The annotation on a method or type
 * replaces that on the method it overrides or the type it extends.
 *
 * <p>Expressions are SpEL. They see the arguments of the method by name, and neither beans nor types. An expression that can never
 * be evaluated stops the start-up.
 *
 * <p>Texts may contain placeholders such as <code>${limits.orders}</code>, which are filled in from the properties of the application
 * at start-up. A property with several limits separates them by commas.
 */
@Documented
@Repeatable(RateLimits.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimit {

    /** The limits in their text form, such as {@code 10/min}; replaces {@link #limit} and {@link #window}. */
    String[] value() default {};

    /** How many calls are allowed in each {@link #window}. */
    long limit() default 100;

    /** The length of the window in which {@link #limit} applies: {@code 60s}, {@code 5min}, {@code PT1H}. */
    String window() default "60s";

    /** The algorithm of every limit that names none; if empty, each limit's default. */
    String algorithm() default "";

    /**
     * The expression that identifies the subject. Its value counts by its {@code toString}, which it must override; a principal
     * counts by its name. By default, a method that handles requests limits each client address, and any other method limits all
     * callers together.
     */
    String key() default "";

    /** How many permits a call takes; by default 1, or the cost of the {@link #rule}. A number must be one that the limits can grant. */
    String cost() default "";

    /** The rule whose limits and budget apply. Only {@link #key}, {@link #cost} and {@link #fallback} may be set beside it. */
    String rule() default "";

    /**
     * The name of the limit in headers and metrics; by default such as {@code OrderService#list}. It identifies the budget: no rule
     * may have the same name, and all annotations with that name must have the same limits. At most 100 printable ASCII characters,
     * without quotes, backslashes and colons.
     */
    String name() default "";

    /**
     * The method to call instead when a call is denied. It is in the same class and has the same parameters, optionally followed by
     * a {@link RateLimitExceededException}; on an interface without an implementing class, it is a default method. On a method that
     * handles requests it needs a {@link #key}: without one, the request is denied before the method would be called.
     */
    String fallback() default "";
}
