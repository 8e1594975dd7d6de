/**
 * The store's own connection: connect, reconnect, time out, probe, and tell failures apart. Internal: public only for the store.
 *
 * <p>May depend on the contracts of {@code io.headgate} and on Lettuce. Start reading at {@code RedisConnection}.
 */
@NullMarked
package io.headgate.redis.connection;

import org.jspecify.annotations.NullMarked;
