package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Known bug A8: a virtual thread that waits for permits leaves its carrier to others. */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(60)
class VirtualThreadsTest {

    private static final int THREADS = 200;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "leaky-bucket", "fixed-window", "sliding-window", "sliding-window-log"})
    void holdNoCarrierWhileTheyWait(String algorithm) throws Exception {
        RateLimiter limiter = Headgate.builder()
                .build()
                .limiter("api", Plan.of(Limit.parse("20/10ms").using(algorithm)));
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String key = "key " + i % 2;
            calls.add(() -> limiter.acquire(key, 1, Duration.ofSeconds(50)).allowed());
        }

        List<RecordedEvent> first = pinnedDuring(calls); // may have to wait for classes to be there
        assertThat(first.isEmpty() ? first : pinnedDuring(calls)).isEmpty();
    }

    /** Those who wait while a class is initialised cannot let go of their carrier, on any release. */
    @Test
    void areSeenByThisTestWhenTheyDoHoldOne() throws Exception {
        assertThat(pinnedDuring(List.of(Holding::held))).isNotEmpty();
    }

    private static final class Holding {

        private static final long SINCE = System.nanoTime();

        static {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }

        static boolean held() {
            return SINCE != 0;
        }
    }

    private List<RecordedEvent> pinnedDuring(List<Callable<Boolean>> calls) throws Exception {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
            recording.start();
            ExecutorService threads = (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            try {
                for (Future<Boolean> call : threads.invokeAll(calls)) {
                    assertThat(call.get()).isTrue();
                }
            } finally {
                threads.shutdown();
            }
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file);
    }
}
