/**
 * Calls that go out: limits what an application sends to servers, and learns from their answers when they limit it.
 *
 * <p>May depend on the contracts of {@code io.headgate.http}, {@code io.headgate} and its engine only; adapters for frameworks are
 * elsewhere. Start reading at {@link io.headgate.http.client.OutgoingLimiter}.
 */
@NullMarked
package io.headgate.http.client;

import org.jspecify.annotations.NullMarked;
