/** Benchmarks of decisions over Redis, compared with the simplest scripts that do the same and with other libraries. */
@NullMarked
package io.headgate.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
