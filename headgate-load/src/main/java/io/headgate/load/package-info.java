/**
 * Gatling against applications with limits. Nothing here is about speed alone: every answer is counted, and most are replayed.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.load.Load}.
 */
@NullMarked
package io.headgate.load;

import org.jspecify.annotations.NullMarked;
