/**
 * The Redis store: the limits that many instances share, one script call per decision.
 *
 * <p>May depend on {@code io.headgate}, Lettuce and its sub-packages, which it puts together. Start reading at {@link
 * io.headgate.redis.RedisStore#bind}, which lists the layers of a ledger, the last of which calls {@code BoundScript}.
 */
@NullMarked
package io.headgate.redis;

import org.jspecify.annotations.NullMarked;
