package io.headgate;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps what every subject has spent, applies the algorithms to it atomically, and owns the time.
 *
 * <p>A plan is {@linkplain #bind bound} once; requests then go to the {@link Ledger}, and nothing is looked up for them. {@code
 * StoreContract} in the testkit specifies the full contract.
 */
public interface Store {

    /**
     * Binds a plan to a scope. Ledgers of the same scope share what was spent, whatever their plans: each limit continues its own
     * state, found by {@link Plan#ids}. Binding is cheap, spends nothing and makes no call.
     *
     * @param scope what is limited: a rule, or the name of a limiter
     * @throws IllegalArgumentException if this store cannot apply the plan, naming the limit and what is allowed
     */
    Ledger bind(String scope, Plan plan);

    /** The algorithms that this store applies: the built-in ones, unless it was given others. */
    default Algorithms algorithms() {
        return Headgate.algorithms();
    }

    /** Whether the state is kept in this process: a call then neither fails nor takes long, and needs no guard. */
    default boolean inProcess() {
        return false;
    }

    /**
     * Whether {@link Ledger#applyAsync} may block the calling thread. Such a store is called on separate threads where a deadline must
     * hold. A store that does not say is taken to block, which is always safe; one that answers false must not.
     */
    default boolean blocks() {
        return !inProcess();
    }

    /**
     * The {@linkplain Ledger#part parts} that can be {@linkplain #probe probed} at present. None by default, and none once the store is
     * closed: then it is not probed any more, and only requests find out that it fails or is back.
     */
    default Set<?> parts() {
        return Set.of();
    }

    /**
     * Asks a part whether it can do what requests need, such as write, at little cost and without blocking the calling thread; a
     * failure completes the future with a {@link StoreException}. Called when no request has told for a moment.
     *
     * @param part one of {@link #parts}
     */
    default CompletableFuture<?> probe(Object part) {
        return CompletableFuture.failedFuture(new StoreException("this store cannot be probed"));
    }
}
