package io.headgate.spring.boot.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Warns if Tomcat itself trusts forwarded headers. It then replaces the peer address before any other code sees the request, so a
 * client that reaches it from a private address can choose the address that it is limited by.
 */
final class ForwardedByTomcat implements ApplicationListener<ApplicationReadyEvent> {

    private static final Log LOG = LogFactory.getLog("io.headgate");
    private static final String STRATEGY = "server.forward-headers-strategy";

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (believes(event.getApplicationContext().getEnvironment())) {
            LOG.warn("Tomcat itself trusts forwarded headers, at least from private addresses, before"
                    + " headgate.trusted-proxies applies; set " + STRATEGY
                    + " to none or framework, unless only your proxies can reach this server");
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
