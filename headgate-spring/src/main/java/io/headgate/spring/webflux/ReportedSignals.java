package io.headgate.spring.webflux;

import io.headgate.spring.ChargeReport;
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
    private final ChargeReport report;

    private ReportedSignals(CoreSubscriber<? super T> subscriber, ChargeReport report) {
        this.subscriber = subscriber;
        this.report = report;
    }

    static <T> Mono<T> of(Mono<T> source, ChargeReport report) {
        return source.transform(Operators.<T, T>lift((any, subscriber) -> new ReportedSignals<>(subscriber, report)));
    }

    static <T> Flux<T> of(Flux<T> source, ChargeReport report) {
        return source.transform(Operators.<T, T>lift((any, subscriber) -> new ReportedSignals<>(subscriber, report)));
    }

    @Override
    public Context currentContext() {
        return subscriber.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        HandlerCharges.reportTo(report, () -> subscriber.onSubscribe(subscription));
    }

    @Override
    public void onNext(T value) {
        HandlerCharges.reportTo(report, () -> subscriber.onNext(value));
    }

    @Override
    public void onError(Throwable failure) {
        HandlerCharges.reportTo(report, () -> subscriber.onError(failure));
    }

    @Override
    public void onComplete() {
        HandlerCharges.reportTo(report, subscriber::onComplete);
    }
}
