package io.headgate.spring.autoconfigure;

import io.headgate.spring.autoconfigure.HeadgateProperties.StoreKind;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@code headgate.store} is {@code memory}. An empty value, such as that of an empty placeholder, counts as not set. */
final class RedisUnlessMemory extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        StoreKind store = Binder.get(context.getEnvironment())
                .bind("headgate.store", StoreKind.class)
                .orElse(StoreKind.REDIS);
        return new ConditionOutcome(
                store == StoreKind.REDIS,
                ConditionMessage.forCondition("headgate.store").because("is or defaults to " + store));
    }
}
