package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.Reference;
import java.util.List;

/** Something that happens to one key, asked of the scripts and of their {@link Reference} step by step. */
final class Story {

    /** How many {@link #takesBack} makes. */
    static final int CHARGES = 5;

    private static final Key KEY = new Key("test", "story");
    private static final long START = 1_794_780_000_000_000L + 30_000_000;
    private static final long MINUTE = 60_000_000;
    private static final long LATER = 7_200_000_000L + 11;

    private final RedisAtSetTime redis;
    private final Reference reference = new Reference();
    private final Limit limit;

    Story(RedisAtSetTime redis, Limit limit) {
        this.redis = redis;
        this.limit = limit;
    }

    /** Two are spent and come back, the limit changes, and after a request or a refund the clock steps back behind all that. */
    void changesTo(Limit changed, Operation between, boolean refunds) {
        Decision[] granted = both(limit, START, Operation.ONE, Operation.ONE);
        both(limit, START + 1, Operation.ONE, Operation.ONE);
        if (refunds) {
            both(
                    changed,
                    START + LATER,
                    new Operation.Refund((Decision.Allowed) granted[0]),
                    new Operation.Refund((Decision.Allowed) granted[1]));
        }
        both(changed, START + LATER + 1, between, between);
        for (long time : new long[] {START + 2, START + 1, START - 1, START + LATER, START + 2 * LATER}) {
            both(changed, time, Operation.PEEK, Operation.PEEK);
            both(changed, time, Operation.ONE, Operation.ONE);
        }
        redis.clear();
    }

    /**
     * One is spent and comes back. Four more are, the first of them is gone when one of the five is taken back, and then the clock
     * steps back to when all four counted.
     */
    void takesBack(int place) {
        Decision[][] granted = new Decision[CHARGES][];
        for (int i = 0; i < CHARGES; i++) {
            long time = i == 0 ? -2 * MINUTE : (i - 1) * MINUTE / 4;
            granted[i] = both(limit, START + time, Operation.ONE, Operation.ONE);
        }
        refund(granted[place], START + MINUTE + MINUTE / 8);
        for (long time : new long[] {MINUTE * 7 / 8, MINUTE / 8, -1, 2 * MINUTE}) {
            both(limit, START + time, Operation.PEEK, Operation.PEEK);
            both(limit, START + time, Operation.ONE, Operation.ONE);
        }
        redis.clear();
    }

    /** The clock steps back behind a charge, which is taken back once it is gone again, and steps back once more. */
    void takesBackWhatTheClockCarried() {
        Decision[] granted = both(limit, START, Operation.ONE, Operation.ONE);
        both(limit, START - MINUTE * 5 / 4, Operation.ONE, Operation.ONE);
        refund(granted, START - MINUTE / 2);
        for (long time : new long[] {-MINUTE * 5 / 4 + 1, -MINUTE / 4, -2 * MINUTE, MINUTE}) {
            both(limit, START + time, Operation.PEEK, Operation.PEEK);
            both(limit, START + time, Operation.ONE, Operation.ONE);
        }
        redis.clear();
    }

    /** The clock steps back behind a charge at the start of a window, which is taken back at the time it was made. */
    void takesBackAtTheTimeOfTheCharge() {
        long window = MINUTE / 2;
        Decision[] granted = both(limit, START + window, Operation.ONE, Operation.ONE);
        both(limit, START + window - 10, Operation.ONE, Operation.ONE);
        refund(granted, START + window);
        for (long time : new long[] {window - 5, window}) {
            both(limit, START + time, Operation.PEEK, Operation.PEEK);
            both(limit, START + time, Operation.ONE, Operation.ONE);
        }
        redis.clear();
    }

    /** All is taken back under another period, and one more is spent in the same call; then the longer period returns. */
    void spendsWhatItTookBack(Limit shorter) {
        Decision[] granted = both(limit, START, Operation.ONE, Operation.ONE);
        Plan plan = new Plan(List.of(shorter));
        redis.run(START + 1, KEY, plan, List.of(new Operation.Refund((Decision.Allowed) granted[0]), Operation.ONE));
        reference.apply(plan, new Operation.Refund((Decision.Allowed) granted[1]), START + 1);
        reference.apply(plan, Operation.ONE, START + 1);
        both(limit, START + MINUTE * 3 / 4, Operation.PEEK, Operation.PEEK);
        both(limit, START + MINUTE * 3 / 4, Operation.ONE, Operation.ONE);
        redis.clear();
    }

    private void refund(Decision[] granted, long time) {
        both(limit, time, new Operation.Refund((Decision.Allowed) granted[0]), new Operation.Refund((Decision.Allowed)
                granted[1]));
    }

    /** The answers of the scripts and of the reference, which must be the same. */
    private Decision[] both(Limit limit, long time, Operation asked, Operation known) {
        Plan plan = new Plan(List.of(limit));
        Decision actual = redis.run(time, KEY, plan, List.of(asked)).get(0);
        Decision expected = reference.apply(plan, known, time);
        assertThat(RandomSequence.told(List.of(actual)))
                .as("%s at %+d: %s", plan, time - START, asked)
                .isEqualTo(RandomSequence.told(List.of(expected)));
        return new Decision[] {actual, expected};
    }
}
