/**
 * The rules of the house, and under {@code fixture} a small house that breaks each of them.
 *
 * <p>Start reading at {@link io.headgate.house.HouseArchitectureTest}.
 */
@NullMarked
package io.headgate.house;

import org.jspecify.annotations.NullMarked;
