package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.line.Line;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The classes that are shipped link with the libraries of every line of Spring Boot. That is more than to compile the sources against
 * each and to compare the class files: it holds for the very files that are shipped, it finds what is inherited and what is named by
 * annotations and in strings, and what it cannot find is listed by {@link Line#ELSEWHERE}.
 */
class LinkageTest {

    /** Optional on every line, so the tests go without. */
    private static final Set<String> WITHOUT = Set.of(
            "io.headgate.spring.method.Annotations: org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler",
            "io.headgate.spring.method.Annotations: org.springframework.messaging.handler.annotation.MessageExceptionHandler");

    private static final Shipped SHIPPED = Shipped.below("io/headgate");

    @Test
    void findsWhatIsShipped() {
        assertThat(SHIPPED.names())
                .hasSizeGreaterThan(400)
                .contains(
                        "io.headgate.Headgate",
                        "io.headgate.http.Gate",
                        "io.headgate.redis.RedisStore",
                        RateLimit.class.getName(),
                        "io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration");
    }

    /** Equal, not contained: what is listed proves that such things are found. */
    @Test
    void everyReferenceIsResolved() {
        Set<String> missing = SHIPPED.missing();
        missing.removeAll(WITHOUT);
        assertThat(missing).isEqualTo(inShipped(Line.ELSEWHERE));
    }

    private static Set<String> inShipped(Set<String> references) {
        return references.stream()
                .filter(each -> SHIPPED.names().contains(each.substring(0, each.indexOf(':'))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyClassIsWhole() {
        Set<String> elsewhere = Line.ELSEWHERE.stream()
                .map(each -> each.substring(0, each.indexOf(':')))
                .collect(Collectors.toSet());
        assertThat(SHIPPED.open(elsewhere)).isEmpty();
    }
}
