package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.line.Line;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

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

    private static final Map<String, URL> SHIPPED = new TreeMap<>();

    @BeforeAll
    static void findClasses() throws IOException {
        for (Resource each :
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/headgate/**/*.class")) {
            String file = each.getURL().toString();
            if (!file.contains("/test-classes/") && !file.contains("/rig/") && !file.endsWith("-info.class")) {
                String name = file.substring(file.lastIndexOf("io/headgate/"), file.length() - ".class".length());
                SHIPPED.put(name.replace('/', '.'), each.getURL());
            }
        }
    }

    @Test
    void findsWhatIsShipped() {
        assertThat(SHIPPED)
                .hasSizeGreaterThan(400)
                .containsKeys(
                        "io.headgate.Headgate",
                        "io.headgate.http.Gate",
                        "io.headgate.redis.RedisStore",
                        RateLimit.class.getName(),
                        "io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration");
    }

    /** Equal, not contained: what is listed proves that such things are found. */
    @Test
    void everyReferenceIsResolved() throws IOException {
        Linkage linkage = new Linkage();
        Set<String> missing = new TreeSet<>();
        for (Map.Entry<String, URL> each : SHIPPED.entrySet()) {
            try (InputStream file = each.getValue().openStream()) {
                linkage.missing(file).forEach(reference -> missing.add(each.getKey() + ": " + reference));
            }
        }
        missing.removeAll(WITHOUT);
        assertThat(missing).isEqualTo(inShipped(Line.ELSEWHERE));
    }

    private static Set<String> inShipped(Set<String> references) {
        return references.stream()
                .filter(each -> SHIPPED.containsKey(each.substring(0, each.indexOf(':'))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Loading finds what has become final; and what has become abstract is left open by a class that should implement it. */
    @Test
    void everyClassIsWhole() {
        Set<String> elsewhere = Line.ELSEWHERE.stream()
                .map(each -> each.substring(0, each.indexOf(':')))
                .collect(Collectors.toSet());
        Set<String> open = new TreeSet<>();
        for (String name : SHIPPED.keySet()) {
            try {
                Class<?> type = Class.forName(name, false, getClass().getClassLoader());
                if (!Modifier.isAbstract(type.getModifiers())) {
                    Arrays.stream(type.getMethods())
                            .filter(method -> Modifier.isAbstract(method.getModifiers()))
                            .map(Method::toString)
                            .forEach(open::add);
                }
            } catch (ClassNotFoundException | LinkageError e) {
                if (!elsewhere.contains(name)) {
                    open.add(name + ": " + e);
                }
            }
        }
        assertThat(open).isEmpty();
    }
}
