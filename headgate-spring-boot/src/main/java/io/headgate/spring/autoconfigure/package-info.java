/**
 * Puts the pieces together for Spring Boot: properties, conditions, and what is said when they are wrong.
 *
 * <p>The only package that sees all others. Start reading at
 * {@link io.headgate.spring.autoconfigure.HeadgateAutoConfiguration}.
 */
@NullMarked
package io.headgate.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
