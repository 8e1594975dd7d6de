/**
 * Load tests with Gatling against applications with limits. They check correctness, not only speed: every response is counted,
 * and most decisions are replayed.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.load.Load}.
 */
@NullMarked
package io.headgate.load;

import org.jspecify.annotations.NullMarked;
