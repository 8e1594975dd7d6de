/**
 * Wires Headgate in Spring Boot: properties, conditions, and the messages for invalid configuration.
 *
 * <p>The only package that sees all others. Start reading at
 * {@link io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration}.
 */
@NullMarked
package io.headgate.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
