package io.headgate.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The responses that the clients received, counted by status.
 *
 * @param other responses that are neither 200 nor 429, and requests without a response
 * @param p50 the median response time, in milliseconds
 */
record Totals(long allowed, long denied, long other, long p50, long p99) {

    static Totals of(List<Answer> answers, long sent) {
        long allowed = answers.stream().filter(each -> each.status == 200).count();
        long denied = answers.stream().filter(each -> each.status == 429).count();
        long[] millis = answers.stream().mapToLong(Answer::millis).sorted().toArray();
        return new Totals(allowed, denied, sent - allowed - denied, at(millis, 50), at(millis, 99));
    }

    /** One response. */
    record Answer(int status, int millis) {}

    private static long at(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percent / 100];
    }

    long requests() {
        return allowed + denied + other;
    }

    void write(Path file) throws IOException {
        Files.writeString(file, allowed + " " + denied + " " + other + " " + p50 + " " + p99);
    }

    static Totals read(Path file) throws IOException {
        long[] numbers = Arrays.stream(Files.readString(file).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        return new Totals(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }
}
