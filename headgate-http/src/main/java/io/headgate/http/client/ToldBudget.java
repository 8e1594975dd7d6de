package io.headgate.http.client;

/**
 * What an answer says about one budget.
 *
 * @param policy which budget, if the server has several
 * @param remaining how many more requests the server allows
 * @param quota how many it allows when the budget is full; {@link #UNKNOWN} if it does not say
 * @param resetMicros how long until it allows more
 */
record ToldBudget(String policy, long remaining, long quota, long resetMicros) {

    static final long UNKNOWN = -1;

    /** The policy of a plain "not before". */
    static final String WAIT = "(wait)";
}
