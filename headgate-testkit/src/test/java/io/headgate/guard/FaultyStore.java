package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store that works, fails or keeps silent, as it is told. */
final class FaultyStore implements Store {

    /** Keys of this scope are kept apart from all others. */
    static final String OTHER_PART = "other part";

    /** The subject that it may remember a decision about. */
    static final String FORMER = "former";

    private final Store store;
    private final Queue<Runnable> unanswered = new ArrayDeque<>();
    private @Nullable RuntimeException failure;
    private boolean silent;
    private int calls;
    private @Nullable Decision remembered;
    private Set<Object> parts = Set.of();
    private int probes;

    FaultyStore(Store store) {
        this.store = store;
    }

    void failWith(StoreException.Reason reason) {
        failure = new StoreException(reason, reason + " it is");
    }

    void failWith(RuntimeException failure) {
        this.failure = failure;
    }

    /** Takes what it is asked and does not answer. */
    void keepSilent() {
        silent = true;
    }

    void work() {
        failure = null;
        silent = false;
    }

    /** Carries out what it has been asked since it kept silent, and answers. */
    void answerAtLast() {
        work();
        while (!unanswered.isEmpty()) {
            unanswered.remove().run();
        }
    }

    /** Repeats that decision from now on, whatever becomes of the store, to {@link #FORMER}. */
    void remember(Decision decision) {
        remembered = decision;
    }

    /** Can be probed from now on, at these parts. */
    void canBeProbedAt(Object... parts) {
        this.parts = Set.of(parts);
    }

    /** How often it was probed. */
    int probes() {
        return probes;
    }

    @Override
    public Set<?> parts() {
        return parts;
    }

    @Override
    public CompletableFuture<?> probe(Object part) {
        probes++;
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (silent) {
            unanswered.add(() -> answer.complete(true));
        } else if (failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(true);
        }
        return answer;
    }

    /** How often it was asked. */
    int calls() {
        return calls;
    }

    @Override
    public boolean blocks() {
        return false;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        Ledger sound = store.bind(scope, plan);
        return new Ledger() {
            @Override
            public Decision apply(String subject, Operation operation) {
                throw new AssertionError("nobody may wait here");
            }

            @Override
            public @Nullable Decision known(String subject, Operation operation) {
                return subject.equals(FORMER) ? remembered : null;
            }

            @Override
            public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                calls++;
                if (silent) {
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    unanswered.add(() -> answer.complete(sound.apply(subject, operation)));
                    return answer;
                }
                return failure != null ? CompletableFuture.failedFuture(failure) : sound.applyAsync(subject, operation);
            }

            @Override
            public Object part(String subject) {
                return scope.equals(OTHER_PART);
            }
        };
    }
}
