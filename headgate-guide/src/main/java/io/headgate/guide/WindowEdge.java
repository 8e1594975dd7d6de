package io.headgate.guide;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws what each algorithm allows around the edge of a window. A client that was idle sends one request per second under a limit
 * of ten per minute, starting ten seconds before an edge. The decisions come from the real algorithms, in manual time.
 */
public final class WindowEdge {

    static final Limit LIMIT = Limit.parse("10/min");

    /** The algorithms, in the order of the guide's page. */
    static final List<String> ALGORITHMS = List.of(
            "token-bucket",
            "fixed-window",
            "sliding-window-counter",
            "sliding-window",
            "sliding-window-log",
            "leaky-bucket");

    private static final int MINUTE = 60;
    private static final int FIRST = 50;
    private static final int END = 3 * MINUTE;

    private WindowEdge() {}

    /** Draws the picture into the named file, by default the one that the guide shows. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments.length > 0 ? arguments[0] : "docs/guide/window-edge.svg");
        Files.writeString(file, draw());
        System.out.println("drew " + file);
        ALGORITHMS.forEach(algorithm -> System.out.println(algorithm + ": " + allowed(algorithm)));
    }

    /** The seconds at which the client is allowed. */
    static List<Integer> allowed(String algorithm) {
        ManualTime time = new ManualTime(Instant.EPOCH.plusSeconds(FIRST));
        RateLimiter limiter =
                Headgate.builder().timeSource(time).build().limiter("edge", Plan.of(LIMIT.using(algorithm)));
        List<Integer> allowed = new ArrayList<>();
        for (int second = FIRST; second < END; second++) {
            if (limiter.tryAcquire("client").allowed()) {
                allowed.add(second);
            }
            time.advance(Duration.ofSeconds(1));
        }
        return allowed;
    }

    /** The largest number of requests that were allowed within any minute. */
    static long mostInAnyMinute(List<Integer> allowed) {
        return allowed.stream()
                .mapToLong(from -> allowed.stream()
                        .filter(second -> second >= from && second < from + MINUTE)
                        .count())
                .max()
                .orElse(0);
    }

    static String draw() {
        Picture picture = new Picture(FIRST, END, ALGORITHMS.size());
        for (int edge = MINUTE; edge < END; edge += MINUTE) {
            picture.edge(edge);
        }
        for (String algorithm : ALGORITHMS) {
            List<Integer> allowed = allowed(algorithm);
            picture.lane(algorithm, allowed, mostInAnyMinute(allowed) + " within a minute");
        }
        return picture.svg(
                "A client that asks once a second under a limit of 10/min",
                "Bars are allowed requests, dots denied ones. It begins at 0:50; windows meet at 1:00 and 2:00.");
    }
}
