/** What a decision over Redis costs, beside the simplest scripts that do the same and beside other libraries. */
@NullMarked
package io.headgate.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
