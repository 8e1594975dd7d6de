/**
 * The Redis store: the limits that many instances share, one script call per decision.
 *
 * <p>May depend on the contracts of {@code io.headgate} and on Lettuce. The algorithms are Lua files among the resources. Start
 * reading at {@link io.headgate.redis.RedisStore}, then {@code Pipeline}, then {@code ScriptBackend}, then {@code plan.lua}.
 */
@NullMarked
package io.headgate.redis;

import org.jspecify.annotations.NullMarked;
