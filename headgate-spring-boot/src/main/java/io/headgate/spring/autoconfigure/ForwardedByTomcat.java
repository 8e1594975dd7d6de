package io.headgate.spring.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Warns of a Tomcat that believes forwarded addresses itself. It says who the peer is before anybody else sees the request, so
 * whoever reaches it from a private address can choose whom to be limited as.
 */
final class ForwardedByTomcat implements ApplicationListener<ApplicationReadyEvent> {

    private static final Log LOG = LogFactory.getLog("io.headgate");
    private static final String STRATEGY = "server.forward-headers-strategy";

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (believes(event.getApplicationContext().getEnvironment())) {
            LOG.warn(
                    "Tomcat itself believes forwarded addresses, from private addresses at least, before headgate.trusted-proxies is"
                            + " asked; write " + STRATEGY
                            + ": none or framework unless only your proxies can reach it");
        }
    }

    static boolean believes(Environment environment) {
        String strategy = environment.getProperty(STRATEGY);
        if (strategy != null) {
            return strategy.equalsIgnoreCase("native");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }
}
