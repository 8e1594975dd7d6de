/**
 * The store contract over a Caffeine cache, for those who want its statistics or run one already.
 *
 * <p>May depend on the contracts of {@code io.headgate} and on Caffeine. Start reading at
 * {@link io.headgate.caffeine.CaffeineStore}, which says what it cannot promise.
 */
@NullMarked
package io.headgate.caffeine;

import org.jspecify.annotations.NullMarked;
