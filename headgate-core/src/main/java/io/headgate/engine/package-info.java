/**
 * How a plan is applied to what one subject has spent: every limit is judged, then all are charged. And what follows from a grant:
 * receipts, and waiting for it.
 *
 * <p>For stores, which make these steps atomic each in its own way; depends on the contracts of {@code io.headgate} only. Start reading at
 * {@link io.headgate.engine.BoundPlan}; a store of your own begins with {@link io.headgate.engine.KeyState}.
 */
@NullMarked
package io.headgate.engine;

import org.jspecify.annotations.NullMarked;
