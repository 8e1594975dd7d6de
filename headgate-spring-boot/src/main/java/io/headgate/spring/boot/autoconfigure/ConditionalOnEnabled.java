package io.headgate.spring.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless {@code headgate.enabled} is false. The property is bound like every other: {@code yes}, {@code on} and {@code 1}
 * count as in Spring Boot, and a value that is not a boolean stops the start-up.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnEnabled.Enabled.class)
@interface ConditionalOnEnabled {

    /** Whether Headgate is enabled. */
    final class Enabled extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean enabled = isEnabled(context.getEnvironment());
            return new ConditionOutcome(
                    enabled,
                    ConditionMessage.forCondition("headgate.enabled").because(enabled ? "is not false" : "is false"));
        }

        static boolean isEnabled(Environment environment) {
            try {
                return Binder.get(environment)
                        .bind("headgate.enabled", Boolean.class)
                        .orElse(true);
            } catch (BindException e) {
                return true; // the check of the settings reports it with all the others
            }
        }
    }
}
