package io.headgate.redis;

/** The clocks of this machine. Neither decides anything: decisions are made at the time of Redis. */
interface Clocks {

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

    /** About what Redis will say the time is: tells which windows of a calendar to send. */
    long wallMicros();

    /** Never goes back: how long a denial is remembered, a permit kept, and a call tried again, is measured on it. */
    long nanos();
}
