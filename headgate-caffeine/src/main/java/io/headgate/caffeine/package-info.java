/**
 * A store on top of a Caffeine cache, for applications that want its statistics or already use Caffeine.
 *
 * <p>May depend on the contracts of {@code io.headgate} and on Caffeine. Start reading at
 * {@link io.headgate.caffeine.CaffeineStore}, which says what it cannot promise.
 */
@NullMarked
package io.headgate.caffeine;

import org.jspecify.annotations.NullMarked;
