package io.headgate.algorithm;

import java.math.BigInteger;

/** Products of a count and a time, which can need more than 64 bits, divided back into range without losing a digit. */
final class Wide {

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Wide() {}

    /** Whether the product of two non-negative numbers fits in a long. */
    static boolean fits(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    /** {@code floor((a * b + c) / d)}, or the largest long if that is less; all non-negative but c, which may lie above -a * b. */
    static long floor(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - a * b) {
            return (a * b + c) / d;
        }
        return exact(a, b, c).divide(BigInteger.valueOf(d)).min(LARGEST).longValueExact();
    }

    /** {@code ceil((a * b + c) / d)}, or the largest long if that is less. */
    static long ceil(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - (d - 1) - a * b) {
            return (a * b + c + d - 1) / d;
        }
        BigInteger rounding = BigInteger.valueOf(d - 1);
        return exact(a, b, c)
                .add(rounding)
                .divide(BigInteger.valueOf(d))
                .min(LARGEST)
                .longValueExact();
    }

    /** {@code (a * b + c) mod d}. */
    static long mod(long a, long b, long c, long d) {
        if (fits(a, b) && c <= Long.MAX_VALUE - a * b) {
            return (a * b + c) % d;
        }
        return exact(a, b, c).mod(BigInteger.valueOf(d)).longValueExact();
    }

    /** {@code a + b}, or the largest long if that is less. */
    static long plus(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
    }

    private static BigInteger exact(long a, long b, long c) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).add(BigInteger.valueOf(c));
    }
}
