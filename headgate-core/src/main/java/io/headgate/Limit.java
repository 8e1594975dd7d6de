package io.headgate;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A budget: a number of permits per window, shared out by an algorithm.
 *
 * <pre>{@code
 * Limit.parse("10/s burst 20")
 * Limit.of(100).per(Duration.ofMinutes(1)).using("sliding-window")
 * Limit.of(1000).perCalendar(Window.Unit.DAY, ZoneId.of("Europe/Berlin"))
 * }</pre>
 *
 * <p>The identity of a limit (its {@link #algorithm}, and its {@link #name} or place in the plan) decides which state it continues.
 * Its numbers do not, so a changed limit keeps what was spent.
 *
 * @param permits how many permits a window holds, up to 2^31 - 1; 0 denies everything
 * @param window the time span over which permits are counted
 * @param burst the most permits that can be taken at one moment, and so by one request: the capacity of a token bucket. Equal to
 *     {@code permits} by default; only a token bucket accepts another value
 * @param algorithm the {@linkplain Algorithm#id() id} of the algorithm
 * @param name the name of the limit within its plan; {@code null} if its place in the plan identifies it
 */
public record Limit(
        long permits,
        Window window,
        long burst,
        String algorithm,
        @Nullable String name) {

    /** The largest number of permits and the largest burst. */
    public static final long MOST = Integer.MAX_VALUE;

    /** The algorithm of a limit that names none. */
    public static final String DEFAULT_ALGORITHM = Algorithms.TOKEN_BUCKET;

    /** The algorithm of a limit over a calendar window. */
    static final String CALENDAR_ALGORITHM = Algorithms.FIXED_WINDOW;

    public Limit {
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(algorithm, "algorithm");
        if (permits < 0 || permits > MOST) {
            throw new IllegalArgumentException("permits must be between 0 and " + MOST + ", not " + permits);
        }
        if (burst > MOST || (permits == 0 ? burst != 0 : burst < 1)) {
            throw new IllegalArgumentException("burst must be between " + Math.min(permits, 1) + " and "
                    + (permits == 0 ? 0 : MOST) + " for " + permits + " permits, not " + burst);
        }
        if (algorithm.isBlank()) {
            throw new IllegalArgumentException("a limit needs the id of its algorithm");
        }
        if (name != null && name.isBlank()) {
            throw new IllegalArgumentException("a limit's name must not be blank");
        }
    }

    /** Begins a limit of {@code permits} permits; {@code per} completes it. */
    public static Permits of(long permits) {
        return new Permits(permits);
    }

    /**
     * Parses the text form of a limit: {@code "10/s burst 20"}, {@code "100/min"}, {@code "5 per 30s"}, {@code "20000/day"},
     * {@code "1000 per calendar-day Europe/Berlin"}. A burst, an algorithm and a name may follow, in this order: {@code "10/s burst 20
     * named spikes"}, {@code "5/min sliding-window"}. Whether there is such an algorithm is checked by the store.
     *
     * @throws IllegalArgumentException naming the column, what was expected there, and what to write instead
     */
    public static Limit parse(String text) {
        return parse(text, null, DEFAULT_ALGORITHM);
    }

    /**
     * As {@link #parse(String)}, for limits that share an algorithm. The algorithm that the text names comes first.
     *
     * @param algorithm the algorithm of a limit that names none; may be {@code null}
     * @param usual the algorithm if {@code algorithm} is {@code null}, unless the window or the burst imply one: a calendar window
     *     has {@code fixed-window}, and a limit with a burst {@code token-bucket}
     */
    public static Limit parse(String text, @Nullable String algorithm, String usual) {
        try {
            return new LimitParser(text, algorithm, usual).parse();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + LimitHint.of(text), e.getCause());
        }
    }

    /** The number of permits of a limit that has no window yet. */
    public record Permits(long permits) {

        public Limit per(Duration period) {
            return per(Window.of(period));
        }

        public Limit perCalendar(Window.Unit unit, ZoneId zone) {
            return per(Window.of(unit, zone));
        }

        public Limit per(Window window) {
            String algorithm = window instanceof Window.Calendar ? CALENDAR_ALGORITHM : DEFAULT_ALGORITHM;
            return new Limit(permits, window, permits, algorithm, null);
        }
    }

    /** This limit with another burst. */
    public Limit burst(long permits) {
        return new Limit(this.permits, window, permits, algorithm, name);
    }

    /** This limit with the algorithm of the given id. */
    public Limit using(String algorithm) {
        return new Limit(permits, window, burst, algorithm, name);
    }

    /** This limit with a name, under which it keeps its state when the other limits of the plan change. */
    public Limit named(String name) {
        return new Limit(permits, window, burst, algorithm, Objects.requireNonNull(name, "name"));
    }

    /** The length of the window in microseconds. */
    public long periodMicros() {
        return window.lengthMicros();
    }

    /** The numbers in the form that {@link #parse(String)} reads. */
    public String text() {
        String per = window instanceof Window.Calendar ? " per " : "/";
        return permits + per + window + (burst == permits ? "" : " burst " + burst);
    }

    /** The numbers and the name in the form that {@link #parse(String)} reads, provided that the grammar accepts the name. */
    public String written() {
        return name == null ? text() : text() + " named " + name;
    }

    /** The form that {@link #parse(String)} reads, provided that the grammar accepts the algorithm and the name. */
    @Override
    public String toString() {
        return text() + " " + algorithm + (name == null ? "" : " named " + name);
    }
}
