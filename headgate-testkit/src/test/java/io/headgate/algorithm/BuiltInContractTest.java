package io.headgate.algorithm;

import io.headgate.Algorithm;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.testkit.AlgorithmContract;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Every built-in algorithm keeps the contract. */
class BuiltInContractTest {

    abstract static class Contract extends AlgorithmContract<Object> {

        private final Algorithm<Object> algorithm;

        @SuppressWarnings("unchecked")
        Contract(String id) {
            algorithm = (Algorithm<Object>) Headgate.algorithms().get(id);
        }

        @Override
        protected Algorithm<Object> algorithm() {
            return algorithm;
        }
    }

    @Nested
    class TokenBucketContract extends Contract {
        TokenBucketContract() {
            super("token-bucket");
        }
    }

    @Nested
    class LeakyBucketContract extends Contract {
        LeakyBucketContract() {
            super("leaky-bucket");
        }

        /** A bucket that is busy has nothing left, whatever the numbers are. */
        @Override
        protected long remainingAfter(long spent, Limit changed) {
            return spent == 0 ? changed.burst() : 0;
        }
    }

    @Nested
    class FixedWindowContract extends Contract {
        FixedWindowContract() {
            super("fixed-window");
        }
    }

    @Nested
    class SlidingWindowLogContract extends Contract {
        SlidingWindowLogContract() {
            super("sliding-window-log");
        }

        /** A state of ten thousand entries is slow to copy, so there is one such limit. */
        @Override
        protected List<Limit> limits() {
            Limit largest = Limit.parse("10000/min").using("sliding-window-log");
            return super.limits().stream()
                    .filter(limit -> limit.permits() <= 100 || limit.equals(largest))
                    .toList();
        }
    }

    @Nested
    class SlidingWindowCounterContract extends Contract {
        SlidingWindowCounterContract() {
            super("sliding-window-counter");
        }
    }

    @Nested
    class SlidingWindowContract extends Contract {
        SlidingWindowContract() {
            super("sliding-window");
        }
    }
}
