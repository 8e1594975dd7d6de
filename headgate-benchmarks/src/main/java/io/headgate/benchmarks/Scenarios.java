package io.headgate.benchmarks;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/** The JMH benchmarks: the time of one request for a permit, in a few situations. An answer that does not fit ends the run. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Scenarios {

    private static final String KEY = "203.0.113.7";

    @Benchmark
    public void oneKey(Allowing limiter, Blackhole hole) {
        limiter.ask(limiter.key, hole);
    }

    @Benchmark
    @Threads(2)
    public void hotKey(Allowing limiter, Blackhole hole) {
        limiter.ask(limiter.key, hole);
    }

    @Benchmark
    @Threads(2)
    public void millionKeys(Holding limiter, HeldKeys keys, Next next, Blackhole hole) {
        limiter.ask(keys.at(next.index++), hole);
    }

    @Benchmark
    @Threads(2)
    public void millionKeysRefilled(Refilling limiter, RefilledKeys keys, Next next, Blackhole hole) {
        limiter.ask(keys.at(next.index++), hole);
    }

    @Benchmark
    @Threads(2)
    public void sixteenKeysRefilled(Refilling limiter, FewKeys keys, Next next, Blackhole hole) {
        limiter.ask(keys.at(next.index++), hole);
    }

    @Benchmark
    public void denied(Denying limiter, Blackhole hole) {
        limiter.ask(limiter.key, hole);
    }

    @Benchmark
    public void twoLimits(TwoLimits limiter, Blackhole hole) {
        limiter.ask(limiter.key, hole);
    }

    @Benchmark
    public void eightLimits(EightLimits limiter, Blackhole hole) {
        limiter.ask(limiter.key, hole);
    }

    /** A limiter that grants everything. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class Allowing {

        @Param
        public Contender contender;

        String key = KEY;
        private Limiter limiter;

        @Setup
        public void create() {
            limiter = contender.limiter(budget());
        }

        Budget budget() {
            return Budget.BUSY;
        }

        void ask(String key, Blackhole hole) {
            if (!limiter.ask(key, hole)) {
                throw new IllegalStateException(contender + " denied a request");
            }
        }
    }

    /** A limiter that grants everything and keeps all its keys. */
    @State(Scope.Benchmark)
    public static class Holding extends Allowing {

        @Override
        Budget budget() {
            return Budget.HELD;
        }
    }

    /** A limiter with two limits. */
    @State(Scope.Benchmark)
    public static class TwoLimits extends Allowing {

        @Override
        Budget budget() {
            return Budget.TWO_LIMITS;
        }
    }

    /** A limiter with eight limits. */
    @State(Scope.Benchmark)
    public static class EightLimits extends Allowing {

        @Override
        Budget budget() {
            return Budget.EIGHT_LIMITS;
        }
    }

    /** A limiter whose keys are full again whenever they are requested. */
    @State(Scope.Benchmark)
    public static class Refilling extends Allowing {

        @Override
        Budget budget() {
            return Budget.REFILLED;
        }
    }

    /** A limiter whose budget is spent, so that it denies everything. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class Denying {

        @Param
        public Contender contender;

        String key = KEY;
        private Limiter limiter;

        @Setup
        public void create(Blackhole hole) {
            limiter = contender.limiter(Budget.TINY);
            limiter.ask(key, hole);
        }

        void ask(String key, Blackhole hole) {
            if (limiter.ask(key, hole)) {
                throw new IllegalStateException(contender + " granted a request");
            }
        }
    }

    /** A million keys and the order of the requests for them. The limiter knows all keys before the first measurement. */
    @SuppressWarnings("NullAway.Init")
    public abstract static class Keys {

        static final int COUNT = 1_000_000;
        private static final int DRAWN = 1 << 21;

        private String[] keys;
        private int[] order;

        final void fill(Allowing limiter, Blackhole hole) {
            keys = all();
            for (String key : keys) {
                limiter.ask(key, hole);
            }
            Random random = new Random(7);
            order = new Zipf(COUNT, 0.99, random).draw(DRAWN, random);
        }

        static String[] all() {
            String[] keys = new String[COUNT];
            Arrays.setAll(keys, i -> "client-" + i);
            return keys;
        }

        String at(int index) {
            return keys[order[index & (DRAWN - 1)]];
        }
    }

    /** A million keys that are all held. */
    @State(Scope.Benchmark)
    public static class HeldKeys extends Keys {

        @Setup
        public void create(Holding limiter, Blackhole hole) {
            fill(limiter, hole);
        }
    }

    /** A million keys that refill. */
    @State(Scope.Benchmark)
    public static class RefilledKeys extends Keys {

        @Setup
        public void create(Refilling limiter, Blackhole hole) {
            fill(limiter, hole);
        }
    }

    /** Sixteen keys, requested in turn. */
    @State(Scope.Benchmark)
    public static class FewKeys {

        private final String[] keys = Arrays.copyOf(Keys.all(), 16);

        String at(int index) {
            return keys[index & 15];
        }
    }

    /** The position of a thread in the order of the keys. Threads start far apart. */
    @State(Scope.Thread)
    public static class Next {

        int index;

        @Setup
        public void start(ThreadParams thread) {
            index = thread.getThreadIndex() * (Keys.DRAWN / thread.getThreadCount());
        }
    }
}
