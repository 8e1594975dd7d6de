package io.headgate.redis;

import io.headgate.StoreException.Reason;
import io.headgate.rig.FaultProxy;
import io.headgate.rig.RedisServer;
import java.time.Duration;
import java.util.Set;

/** Ways for a Redis to fail, and to come back. */
enum Fault {

    /** Comes back with nothing in it. */
    KILLED(Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            redis.kill();
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            redis.restartEmpty();
        }
    },

    FROZEN(Reason.TIMEOUT, Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            redis.freeze();
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            redis.thaw();
        }
    },

    PAUSED(Reason.TIMEOUT, Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            redis.command("CLIENT", "PAUSE", "60000", "WRITE");
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            redis.command("CLIENT", "UNPAUSE");
        }
    },

    OUT_OF_MEMORY(Reason.FULL) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            redis.command("CONFIG", "SET", "maxmemory", "1");
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
    },

    /** It follows a master that is not there. */
    READ_ONLY(Reason.READ_ONLY) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            redis.command("REPLICAOF", "127.0.0.1", "1");
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            redis.command("REPLICAOF", "NO", "ONE");
        }
    },

    /** Connections stay open, and nothing comes back through them. */
    HALF_OPEN(Reason.TIMEOUT, Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            network.blackHole();
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            network.pass();
        }
    },

    REFUSED(Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            network.refuse();
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            network.pass();
        }
    },

    /** Every answer comes, and every one too late. */
    SLOW(Reason.TIMEOUT, Reason.UNREACHABLE) {
        @Override
        void strike(RedisServer redis, FaultProxy network) {
            network.delay(Duration.ofMillis(200));
        }

        @Override
        void heal(RedisServer redis, FaultProxy network) {
            network.pass();
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is
    private final Set<Reason> reasons;

    Fault(Reason... reasons) {
        this.reasons = Set.of(reasons);
    }

    /** What it may be counted as, beside what the guard does on its own. */
    Set<Reason> reasons() {
        return reasons;
    }

    abstract void strike(RedisServer redis, FaultProxy network);

    abstract void heal(RedisServer redis, FaultProxy network);
}
