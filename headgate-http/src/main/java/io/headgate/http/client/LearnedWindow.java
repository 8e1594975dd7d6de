package io.headgate.http.client;

/**
 * What is known of one budget of a server, from one reset to the next. Not thread-safe: guarded by its {@link LearnedBudget}.
 *
 * <p>Within a window the server's count only falls and its reset only comes closer, so the least of what it has said holds, in whatever
 * order its answers arrive. After the reset nothing is known until the next answer. If the budget was used up, one request goes first: a
 * server may have a whole new window by then, or a single permit.
 */
final class LearnedWindow {

    /** How long the others wait for the answer to the one that goes first. */
    private static final long PROBE_MICROS = 2_000_000;

    private long remaining;
    private long resetMicros;
    private long quota = ToldBudget.UNKNOWN;

    /** When the window began, as far as we know: answers to earlier requests tell nothing about it. */
    private long beganMicros;

    private boolean told;

    /** Whether one request is to find out what there is. */
    private boolean probing;

    /** When the last one was sent to find out. */
    private long probeMicros;

    /** Takes note of the answer to a request that was sent at the given time. */
    void tell(ToldBudget budget, long sentMicros, long nowMicros) {
        if (budget.quota() != ToldBudget.UNKNOWN) {
            quota = budget.quota();
        }
        long reset = nowMicros + budget.resetMicros();
        if (budget.policy()
                .equals(ToldBudget.WAIT)) { // an order, whenever it arrives, and no estimate that becomes better
            resetMicros = told ? Math.max(resetMicros, reset) : reset;
            remaining = 0;
        } else if (sentMicros >= beganMicros) {
            resetMicros = told ? Math.min(resetMicros, reset) : reset;
            remaining = told ? Math.min(remaining, budget.remaining()) : budget.remaining();
        } else {
            return;
        }
        told = true;
        probing = false;
    }

    /** Whether an answer to a request of this window has said nothing about it: the server has stopped telling. */
    boolean forgottenBy(long sentMicros) {
        return !told && sentMicros >= beganMicros;
    }

    /** How long until another request may go; 0 if it may now, {@link Long#MAX_VALUE} if that depends on requests on their way. */
    long waitMicros(long onTheirWay, long nowMicros) {
        if (told && nowMicros >= resetMicros) {
            probing = remaining - onTheirWay <= 0;
            probeMicros = 0;
            remaining = quota > 0 ? quota : Long.MAX_VALUE;
            beganMicros = nowMicros;
            told = false;
        }
        if (probing) {
            return nowMicros - probeMicros >= PROBE_MICROS ? 0 : Long.MAX_VALUE;
        }
        if (remaining - onTheirWay > 0) {
            return 0;
        }
        return remaining == 0 ? resetMicros - nowMicros : Long.MAX_VALUE;
    }

    /** A request is sent. */
    void send(long nowMicros) {
        probeMicros = nowMicros;
    }

    /** A request that was to be sent at the given time is not: if it was to find out what there is, the next one does. */
    void giveBack(long sentMicros) {
        if (probeMicros == sentMicros) {
            probeMicros = 0;
        }
    }

    /** When the budget that is used up comes back, or 0. */
    long usedUpUntilMicros() {
        return told && remaining == 0 ? resetMicros : 0;
    }
}
