package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Shipped;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The classes that are shipped link with both gateways of every line of Spring Boot. */
class LinkageTest {

    private static final Shipped SHIPPED = Shipped.below("io/headgate/spring/cloud");

    @Test
    void findsWhatIsShipped() {
        assertThat(SHIPPED.names())
                .hasSizeGreaterThan(10)
                .contains(HeadgateRateLimiter.class.getName(), RateLimitFilterFunctions.class.getName());
    }

    @Test
    void everyReferenceIsResolved() {
        assertThat(SHIPPED.missing()).isEmpty();
    }

    @Test
    void everyClassIsWhole() {
        assertThat(SHIPPED.open(Set.of())).isEmpty();
    }
}
