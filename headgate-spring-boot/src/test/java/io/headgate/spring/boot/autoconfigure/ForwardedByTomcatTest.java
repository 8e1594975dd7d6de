package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class ForwardedByTomcatTest {

    @Test
    void knowsWhenSpringBootChoosesByItself() {
        assertThat(ForwardedByTomcat.believes(new MockEnvironment())).isFalse();
        assertThat(believes("native", "none")).isTrue();
        assertThat(believes("framework", "kubernetes")).isFalse();
        assertThat(ForwardedByTomcat.believes(
                        new MockEnvironment().withProperty("spring.main.cloud-platform", "kubernetes")))
                .isTrue();
    }

    private static boolean believes(String strategy, String platform) {
        return ForwardedByTomcat.believes(new MockEnvironment()
                .withProperty("server.forward-headers-strategy", strategy)
                .withProperty("spring.main.cloud-platform", platform));
    }

    @Test
    void warnsWhenTheApplicationIsUp(CapturedOutput output) {
        Running.servlet(Application.class, "server.forward-headers-strategy=native")
                .close();
        assertThat(output).contains("Tomcat itself trusts forwarded headers");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
