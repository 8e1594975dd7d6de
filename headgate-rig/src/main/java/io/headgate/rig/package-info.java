/**
 * Real servers for tests and ways to break them: Redis standalone, as a cluster and under Sentinel; a network that fails on
 * command; many processes at once.
 *
 * <p>Depends on no other Headgate module and talks to Redis over a plain socket. Start reading at
 * {@link io.headgate.rig.RedisServer}.
 */
@NullMarked
package io.headgate.rig;

import org.jspecify.annotations.NullMarked;
