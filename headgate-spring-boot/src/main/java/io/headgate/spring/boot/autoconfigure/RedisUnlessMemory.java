package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.boot.autoconfigure.HeadgateProperties.StoreKind;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@code headgate.store} is {@code memory}. An empty value, such as that of an empty placeholder, counts as not set. */
final class RedisUnlessMemory extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        StoreKind store = store(context.getEnvironment());
        return new ConditionOutcome(
                store == StoreKind.REDIS,
                ConditionMessage.forCondition("headgate.store").because("is or defaults to " + store));
    }

    private static StoreKind store(Environment environment) {
        try {
            return Binder.get(environment)
                    .bind("headgate.store", StoreKind.class)
                    .orElse(StoreKind.REDIS);
        } catch (BindException e) {
            return StoreKind.MEMORY; // the check of the settings reports it with all the others
        }
    }
}
