package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;

/** A limit whose log stays in Redis: the reply contains a summary of the log, and whatever else the answers to the operations depend on. */
final class LogLimit extends ScriptedLimit {

    /** The largest number that fits into the three bytes in which a permit stores how many permits count. */
    private static final long MOST = (1 << 24) - 1;

    LogLimit(Limit limit, String id) {
        super(limit, id, new DistantLog());
    }

    static void check(Limit limit) {
        if (limit.permits() > MOST) {
            throw new IllegalArgumentException("limit '" + limit + "': a log in Redis has at most " + MOST + " permits;"
                    + " sliding-window keeps the same bound in constant space");
        }
    }

    @Override
    Object read(ByteBuffer reply, long nowMicros) {
        DistantLog.View view = (DistantLog.View) super.read(reply, nowMicros);
        boolean allCameBack = view.newestMicros() <= nowMicros - limit.periodMicros();
        return (allCameBack ? view.empty() : view).toldBy(reply);
    }

    @Override
    Object reset(Object state, long nowMicros) {
        return ((DistantLog.View) super.reset(state, nowMicros)).toldBy(((DistantLog.View) state).told());
    }

    /** The script always reports what a refund leaves. */
    @Override
    Object refund(Object state, Stamp stamp, long claimed, long nowMicros) {
        return ((DistantLog.View) state).afterRefund();
    }
}
