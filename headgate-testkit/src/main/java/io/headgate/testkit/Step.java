package io.headgate.testkit;

import io.headgate.Limit;
import io.headgate.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One step of a story: a time, a request, and the expected decision. Created with {@link Steps#at(String)}.
 *
 * <p>Steps are immutable: every method returns a new one, so one step can be the start of several.
 */
public final class Step {

    /** The operation that a step performs. */
    sealed interface Action {

        record Take(long cost, Duration within) implements Action {}

        record Peek(long cost) implements Action {}

        record Refund(String label) implements Action {}

        record Reset() implements Action {}

        record Change(Plan plan) implements Action {}
    }

    /** The time of a step that still needs its action. */
    public static final class Moment {

        private final String text;
        private final When when;

        Moment(String text, When when) {
            this.text = text;
            this.when = when;
        }

        /** Takes permits now or not at all, unless {@link Step#within} allows a wait. */
        public Step take(long cost) {
            return new Step(this, new Action.Take(cost, Duration.ZERO), null, List.of());
        }

        /** Asks for a decision without spending permits. */
        public Step peek(long cost) {
            return new Step(this, new Action.Peek(cost), null, List.of());
        }

        /** Takes back the charge of the {@linkplain Step#as labelled} step. The decision is that of a peek for one permit. */
        public Step refund(String label) {
            return new Step(this, new Action.Refund(label), null, List.of());
        }

        /** Gives the whole budget back. The decision is that of a peek for one permit. */
        public Step reset() {
            return new Step(this, new Action.Reset(), null, List.of());
        }

        /** Replaces the limits from this step on. The decision is that of a peek for one permit. */
        public Step change(Limit... limits) {
            return new Step(this, new Action.Change(Plan.of(limits)), null, List.of());
        }
    }

    /** Computes the time of a step, in microseconds since the epoch, from the time at which the story begins. */
    interface When {
        long micros(long beginMicros);
    }

    private final Moment moment;
    private final Action action;
    private final @Nullable String label;
    private final List<Consumer<DecisionAssert>> expected;

    private Step(Moment moment, Action action, @Nullable String label, List<Consumer<DecisionAssert>> expected) {
        this.moment = moment;
        this.action = action;
        this.label = label;
        this.expected = List.copyOf(expected);
    }

    static Moment at(String text) {
        long micros = StepDuration.parse(text).toNanos() / 1_000;
        return new Moment(text, begin -> begin + micros);
    }

    static Moment at(Instant instant) {
        long micros = new ManualTime(instant).nowMicros();
        return new Moment(instant.toString(), begin -> micros);
    }

    /** Labels the grant of this step, so that a later step can refund it. */
    public Step as(String label) {
        return new Step(moment, action, label, expected);
    }

    /** Lets the request wait up to this long for a slot, if the algorithm can reserve one. */
    public Step within(String wait) {
        if (!(action instanceof Action.Take take)) {
            throw new IllegalArgumentException("only taking can wait, not " + this);
        }
        return new Step(moment, new Action.Take(take.cost, StepDuration.parse(wait)), label, expected);
    }

    public Step allowed() {
        return expect(DecisionAssert::isAllowed);
    }

    /** Expects that the request is allowed and leaves this many permits. */
    public Step allowed(long remaining) {
        return expect(decision -> decision.isAllowed().hasRemaining(remaining));
    }

    public Step denied() {
        return expect(DecisionAssert::isDenied);
    }

    /** Expects that the request is denied and would be allowed after exactly this wait. */
    public Step denied(String retryAfter) {
        return expect(decision -> decision.retriesAfter(StepDuration.parse(retryAfter)));
    }

    public Step impossible() {
        return expect(DecisionAssert::isImpossible);
    }

    /** Expects that this many permits remain, whatever the decision. */
    public Step remaining(long remaining) {
        return expect(decision -> decision.hasRemaining(remaining));
    }

    /** Expects that the whole budget is available again after this wait. */
    public Step resetsAfter(String wait) {
        return expect(decision -> decision.resetsAfter(StepDuration.parse(wait)));
    }

    /** Expects that the request is allowed for a slot this far ahead. */
    public Step delayedBy(String wait) {
        return expect(decision -> decision.isDelayedBy(StepDuration.parse(wait)));
    }

    /** Expects that this limit of the plan decided. */
    public Step decidedBy(Limit limit) {
        return expect(decision -> decision.wasDecidedBy(limit));
    }

    private Step expect(Consumer<DecisionAssert> expectation) {
        List<Consumer<DecisionAssert>> all = new ArrayList<>(expected);
        all.add(expectation);
        return new Step(moment, action, label, all);
    }

    long micros(long beginMicros) {
        return moment.when.micros(beginMicros);
    }

    Action action() {
        return action;
    }

    @Nullable
    String label() {
        return label;
    }

    void check(DecisionAssert decision) {
        expected.forEach(expectation -> expectation.accept(decision));
    }

    @Override
    public String toString() {
        return "at " + moment.text + " " + action + (label == null ? "" : " as " + label);
    }
}
