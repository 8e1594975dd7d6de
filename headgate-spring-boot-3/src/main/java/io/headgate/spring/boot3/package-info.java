/**
 * What Spring Boot 3 has under other names than Spring Boot 4, and that cannot be compiled in one module with it: the health.
 * Everything else of Spring Boot is in {@code io.headgate.spring.boot}, which runs on both. With the last application on Spring Boot 3,
 * this module can be deleted.
 */
@NullMarked
package io.headgate.spring.boot3;

import org.jspecify.annotations.NullMarked;
