/**
 * Real servers to test against and ways to break them: Redis alone, as a cluster and under Sentinel, a network that fails on
 * command, many processes at once.
 *
 * <p>Depends on nothing of Headgate; speaks to Redis over a plain socket. Start reading at {@link io.headgate.rig.RedisServer}.
 */
@NullMarked
package io.headgate.rig;

import org.jspecify.annotations.NullMarked;
