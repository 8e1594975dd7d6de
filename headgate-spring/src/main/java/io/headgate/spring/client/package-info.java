/**
 * Limits what is sent with {@code RestClient}, {@code RestTemplate} and {@code WebClient}.
 *
 * <p>Depends on {@link io.headgate.http.client} and on Spring's clients. Start reading at
 * {@link io.headgate.spring.client.OutgoingRequestInterceptor}.
 */
@NullMarked
package io.headgate.spring.client;

import org.jspecify.annotations.NullMarked;
