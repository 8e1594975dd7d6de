/**
 * What a client is told: rate limit headers, and the problem a refusal is answered with.
 *
 * <p>May depend on the contracts of {@code io.headgate.http} and {@code io.headgate} only. Nothing that a client sent is
 * repeated here. Start reading at {@link io.headgate.http.response.StandardAnswers}.
 */
@NullMarked
package io.headgate.http.response;

import org.jspecify.annotations.NullMarked;
