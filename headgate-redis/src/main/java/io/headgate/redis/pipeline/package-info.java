/**
 * What spares calls: the memory of denials, coalescing, prefetched permits; each a ledger over a ledger. Internal: public only for the
 * store.
 *
 * <p>May depend on the contracts of {@code io.headgate}. Start reading at {@code Denials}.
 */
@NullMarked
package io.headgate.redis.pipeline;

import org.jspecify.annotations.NullMarked;
