/**
 * What clients receive: rate limit headers on every limited response, and the problem body of a denial.
 *
 * <p>May depend on the contracts of {@code io.headgate.http} and {@code io.headgate} only. Never repeats anything that a client
 * sent. Start reading at {@link io.headgate.http.response.StandardAnswers}.
 */
@NullMarked
package io.headgate.http.response;

import org.jspecify.annotations.NullMarked;
