package io.headgate.spring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Unless {@code headgate.enabled} says no. It is bound like every other setting: {@code yes}, {@code on} and {@code 1} count as
 * in Spring Boot, and what is neither yes nor no stops the start-up.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnEnabled.Enabled.class)
@interface ConditionalOnEnabled {

    /** Whether anything is limited at all. */
    final class Enabled extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean enabled = isEnabled(context.getEnvironment());
            return new ConditionOutcome(
                    enabled,
                    ConditionMessage.forCondition("headgate.enabled").because(enabled ? "it is not off" : "it is off"));
        }

        static boolean isEnabled(Environment environment) {
            return Binder.get(environment)
                    .bind("headgate.enabled", Boolean.class)
                    .orElse(true);
        }
    }
}
