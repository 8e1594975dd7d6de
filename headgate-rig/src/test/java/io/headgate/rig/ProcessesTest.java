package io.headgate.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Says who it is, waits for a word and repeats it. */
    static final class Echo {

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("ready " + String.join(" ", arguments) + " " + System.getProperty("colour"));
            System.out.println(Processes.awaitWord());
        }
    }

    static final class Failing {

        public static void main(String[] arguments) {
            Integer.parseInt("on purpose");
        }
    }

    /** Starts a server and another process, and clears nothing away. */
    static final class Careless {

        public static void main(String[] arguments) throws InterruptedException {
            Processes child = Processes.fork(1, Echo.class);
            child.awaitLine("ready");
            System.out.println("started " + RedisServer.start().port() + " "
                    + child.process(0).pid());
            Processes.awaitWord();
        }
    }

    @Test
    void runTogetherAndTellWhatTheyPrinted() {
        try (Processes two = Processes.fork(2, Echo.class, List.of("-Dcolour=green"), "a b")) {
            two.awaitLine("ready");
            two.tell("go");
            assertThat(two.finish(PATIENCE))
                    .containsExactly(List.of("ready 0 a b green", "go"), List.of("ready 1 a b green", "go"));
        }
    }

    @Test
    void tellWhyOneFailed() {
        try (Processes one = Processes.fork(1, Failing.class)) {
            assertThatThrownBy(() -> one.finish(PATIENCE)).hasMessageContaining("on purpose");
        }
    }

    @Test
    void areEndedByClose() {
        Processes one = Processes.fork(1, Echo.class);
        one.awaitLine("ready");
        one.close();
        assertThat(one.process(0).isAlive()).isFalse();
    }

    /** Nobody closes anything and no hook runs: what was started goes with its process all the same. */
    @Test
    void leaveNothingBehindWhenKilled() {
        try (Processes one = Processes.fork(1, Careless.class)) {
            one.awaitLine("started");
            String[] started = one.lines(0).get(0).split(" ", 3);
            int port = Integer.parseInt(started[1]);
            ProcessHandle child = ProcessHandle.of(Long.parseLong(started[2])).orElseThrow();
            assertThat(Ports.isFree(port)).isFalse();

            one.process(0).destroyForcibly();

            Patience.until(PATIENCE, "the port is free", () -> Ports.isFree(port));
            Patience.until(PATIENCE, "the child has ended", () -> !child.isAlive());
        }
    }
}
