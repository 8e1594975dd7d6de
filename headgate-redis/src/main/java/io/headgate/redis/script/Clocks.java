package io.headgate.redis.script;

/** The clocks of this process. Neither decides anything: decisions are made at the time of Redis. */
public interface Clocks {

    Clocks SYSTEM = new Clocks() {
        @Override
        public long wallMicros() {
            return System.currentTimeMillis() * 1_000;
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /** Approximately the time of Redis: determines which calendar windows to send. */
    long wallMicros();

    /** The monotonic clock: measures how long a denial is remembered, a permit is kept and a call is repeated. */
    long nanos();
}
