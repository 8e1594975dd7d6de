/**
 * SpEL expressions over the arguments of a method and the request that it is called for: parsed and checked once, evaluated for each
 * call.
 *
 * <p>Depends on Spring Expression and on the contracts of {@code io.headgate.http}. Start reading at
 * {@link io.headgate.spring.method.expression.ArgumentExpression}.
 */
@NullMarked
package io.headgate.spring.method.expression;

import org.jspecify.annotations.NullMarked;
