package io.headgate.spring.autoconfigure;

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

/** Says that nothing is limited where Headgate is switched off, so that nobody has to find out. */
@AutoConfiguration
@Conditional(HeadgateOffAutoConfiguration.Off.class)
public final class HeadgateOffAutoConfiguration {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    @Bean
    ApplicationListener<ApplicationReadyEvent> headgateOff() {
        return new ApplicationListener<>() {
            @Override
            public void onApplicationEvent(ApplicationReadyEvent event) {
                LOG.warn("Headgate: nothing is limited, since headgate.enabled is off");
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
