package io.headgate.spring.webflux;

import io.headgate.spring.CurrentRequest;
import io.headgate.spring.HandlerCharges;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Passes signals on. What the subscriber does at once, such as calling a handler, reports its charges. */
final class ReportedSignals<T> implements CoreSubscriber<T> {

    private final CoreSubscriber<? super T> subscriber;
    private final CurrentRequest current;

    private ReportedSignals(CoreSubscriber<? super T> subscriber, CurrentRequest current) {
        this.subscriber = subscriber;
        this.current = current;
    }

    static <T> Mono<T> of(Mono<T> source, CurrentRequest current) {
        return source.transform(Operators.<T, T>lift((any, subscriber) -> new ReportedSignals<>(subscriber, current)));
    }

    static <T> Flux<T> of(Flux<T> source, CurrentRequest current) {
        return source.transform(Operators.<T, T>lift((any, subscriber) -> new ReportedSignals<>(subscriber, current)));
    }

    @Override
    public Context currentContext() {
        return subscriber.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        HandlerCharges.runFor(current, () -> subscriber.onSubscribe(subscription));
    }

    @Override
    public void onNext(T value) {
        HandlerCharges.runFor(current, () -> subscriber.onNext(value));
    }

    @Override
    public void onError(Throwable failure) {
        HandlerCharges.runFor(current, () -> subscriber.onError(failure));
    }

    @Override
    public void onComplete() {
        HandlerCharges.runFor(current, subscriber::onComplete);
    }
}
