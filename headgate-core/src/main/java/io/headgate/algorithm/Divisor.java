package io.headgate.algorithm;

import java.math.BigInteger;

/**
 * Divides by a number that is fixed once a limit is known: with a multiplication and a shift, as a compiler does for a constant.
 * On the path of every decision, a division instruction took longer than the rest of the arithmetic.
 *
 * <p>With 2^s the next power of two at or above the divisor d, the factor is m = ceil(2^(60+s) / d). It is too large by less than
 * d / 2^(60+s) of itself, so a dividend x below 2^59 gains less than 1/d: too little to reach the next whole quotient.
 */
final class Divisor {

    /** The largest dividend; the smallest is 0. */
    static final long LARGEST_DIVIDEND = (1L << 59) - 1;

    private static final int PRECISION = 60;

    private final long factor;
    private final int shift;

    Divisor(long divisor) {
        this.shift = Long.SIZE - Long.numberOfLeadingZeros(divisor - 1);
        BigInteger exact = BigInteger.valueOf(divisor);
        this.factor = BigInteger.ONE
                .shiftLeft(PRECISION + shift)
                .add(exact)
                .subtract(BigInteger.ONE)
                .divide(exact)
                .longValueExact();
    }

    /** The whole quotient of a dividend from 0 to {@link #LARGEST_DIVIDEND}. */
    long divide(long dividend) {
        return Math.multiplyHigh(dividend << (Long.SIZE - PRECISION), factor) >>> shift;
    }
}
