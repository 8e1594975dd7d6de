package io.headgate.guard;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a {@link Guard} waits for the store, when it stops calling it, and how much each instance grants by itself.
 *
 * <pre>{@code
 * GuardSettings.DEFAULT.instances(4).deadline(Duration.ofMillis(50))
 * }</pre>
 *
 * @param deadline how long a check waits for the store
 * @param callsInFlight how many calls to the store may be in flight at a time
 * @param failures how many of the last ten calls must fail to open the circuit breaker
 * @param openFor how long the circuit breaker stays open before one call probes whether the store is back
 * @param instances how many processes share the store: while the store fails, each grants its part of a limit by itself;
 *     {@link #UNSET} counts as one and logs a warning
 * @param openGrace how long a store may fail before {@link io.headgate.FailurePolicy#OPEN} changes to limiting in this process;
 *     {@code null} for never
 */
public record GuardSettings(
        Duration deadline,
        int callsInFlight,
        int failures,
        Duration openFor,
        int instances,
        @Nullable Duration openGrace) {

    private static final Duration LEAST = Duration.ofNanos(1_000);
    private static final Duration MOST = Duration.ofMinutes(1);

    /** The number of instances when it is not configured. */
    public static final int UNSET = 0;

    public static final GuardSettings DEFAULT =
            new GuardSettings(Duration.ofMillis(100), 1024, 5, Duration.ofMillis(500), UNSET, null);

    public GuardSettings {
        requireShort("a deadline", deadline);
        requireShort("the time that a failing store is left alone", openFor);
        require("the number of calls in flight", callsInFlight, 1, Integer.MAX_VALUE);
        require("the number of failures", failures, 1, Breaker.REMEMBERED);
        require("the number of instances", instances, UNSET, Integer.MAX_VALUE);
        if (openGrace != null && openGrace.isNegative()) {
            throw new IllegalArgumentException("a grace time must not be negative, but was " + openGrace);
        }
    }

    public GuardSettings deadline(Duration deadline) {
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    public GuardSettings callsInFlight(int callsInFlight) {
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    public GuardSettings failures(int failures) {
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    public GuardSettings openFor(Duration openFor) {
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    public GuardSettings instances(int instances) {
        require("the number of instances", instances, 1, Integer.MAX_VALUE);
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    public GuardSettings openGrace(Duration openGrace) {
        return new GuardSettings(deadline, callsInFlight, failures, openFor, instances, openGrace);
    }

    private static void requireShort(String what, Duration time) {
        if (time.compareTo(LEAST) < 0 || time.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(what + " must be between 1 us and 1 min, not " + time);
        }
    }

    private static void require(String what, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + number);
        }
    }
}
