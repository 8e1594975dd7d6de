/**
 * A plan as a script: its text and arguments, and the reply as decisions. Internal: public only for the store.
 *
 * <p>May depend on the core and on no Redis client. The Lua files are in {@code io/headgate/redis} among the resources. Start reading
 * at {@code plan.lua}, then {@code Program}.
 */
@NullMarked
package io.headgate.redis.script;

import org.jspecify.annotations.NullMarked;
