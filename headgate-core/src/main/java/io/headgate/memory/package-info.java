/**
 * The in-process store: bounded, atomic per key, with no lock across keys that it holds, no timer and no clock but
 * the time source.
 *
 * <p>May depend on the contracts of {@code io.headgate} only. Start reading at {@link io.headgate.memory.MemoryStore}, then
 * {@code ScopeTable}, which explains how keys are added and forgotten, {@code KeyTable} and {@code Sweep}.
 */
@NullMarked
package io.headgate.memory;

import org.jspecify.annotations.NullMarked;
