package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReservedSlotsTest {

    private static final int MANY = 200_000;

    /** Nobody who leaves looks for its place among all others: that would take minutes. */
    @Test
    @Timeout(60)
    void letsManyCallersLeaveAtOnce() {
        AtomicInteger returned = new AtomicInteger();
        ReservedSlots slots = new ReservedSlots(new Never(), granted -> returned.incrementAndGet());
        List<Standing> standings = List.of(new Standing(Limit.parse("1/s"), 0, 0, 0, 0));
        List<CompletableFuture<Decision>> callers =
                Stream.generate(CompletableFuture<Decision>::new).limit(MANY).toList();
        IntStream.range(0, MANY)
                .forEach(i -> slots.hold(
                        "alice", 1, Standings.allowed(standings, "alice", 1, i + 1, "charged"), callers.get(i)));

        callers.forEach(caller -> caller.complete(new Decision.Denied(Limit.parse("1/s"), 0, 1, 1, List.of())));

        assertThat(returned).hasValue(MANY);
        assertThat(slots.isEmpty()).isTrue();
    }

    /** Time in which no slot begins. */
    private static final class Never implements TimeSource {

        @Override
        public long nowMicros() {
            return 0;
        }

        @Override
        public CompletableFuture<Void> after(long micros) {
            return new CompletableFuture<>();
        }
    }
}
