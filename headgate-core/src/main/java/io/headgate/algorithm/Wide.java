package io.headgate.algorithm;

import java.math.BigInteger;

/** Exact quotients of products of a count and a time, where the product can need more than 64 bits. */
final class Wide {

    /**
     * The value at which quotients saturate; as a time, 142 years. Any time plus this value is still exact in the floating-point
     * numbers of Redis scripts, so that both compute the same answers.
     */
    static final long LARGEST = 1L << 52;

    private Wide() {}

    /** Whether the product of two non-negative numbers fits in a long. */
    static boolean fits(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    /**
     * {@code floor((a * b + c) / d)}, or {@link #LARGEST} if that is less. All arguments are non-negative except c, which must be
     * above -a * b.
     */
    static long floor(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - a * b) {
            return Math.min((a * b + c) / d, LARGEST);
        }
        return saturated(exact(a, b, c).divide(BigInteger.valueOf(d)));
    }

    /** {@code ceil((a * b + c) / d)}, or {@link #LARGEST} if that is less. */
    static long ceil(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - (d - 1) - a * b) {
            return Math.min((a * b + c + d - 1) / d, LARGEST);
        }
        BigInteger rounding = BigInteger.valueOf(d - 1);
        return saturated(exact(a, b, c).add(rounding).divide(BigInteger.valueOf(d)));
    }

    /** {@code (a * b + c) mod d}. */
    static long mod(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - a * b) {
            return (a * b + c) % d;
        }
        return exact(a, b, c).mod(BigInteger.valueOf(d)).longValueExact();
    }

    private static long saturated(BigInteger quotient) {
        return quotient.min(BigInteger.valueOf(LARGEST)).longValueExact();
    }

    private static BigInteger exact(long a, long b, long c) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).add(BigInteger.valueOf(c));
    }
}
