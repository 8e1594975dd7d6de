package io.headgate.spring.boot.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Warns at start-up that nothing is limited if {@code headgate.enabled} is false. */
@AutoConfiguration
@Conditional(HeadgateOffAutoConfiguration.Off.class)
public final class HeadgateOffAutoConfiguration {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    @Bean
    ApplicationListener<ApplicationReadyEvent> headgateOff() {
        return new ApplicationListener<>() {
            @Override
            public void onApplicationEvent(ApplicationReadyEvent event) {
                LOG.warn(
                        "Headgate: nothing is limited, because headgate.enabled is false; set it to true to enable rate limiting");
            }
        };
    }

    static final class Off implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !ConditionalOnEnabled.Enabled.isEnabled(context.getEnvironment());
        }
    }
}
