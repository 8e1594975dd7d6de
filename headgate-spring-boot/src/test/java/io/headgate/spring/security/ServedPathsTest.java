package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import io.headgate.spring.line.JettyServlet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Known bugs O1, P01 to P19: functions and files are limited in every spelling in which they are served. Who serves a
 * file takes a path apart for a second time, after the rules have been matched.
 */
@ParameterizedClass(name = "{1} on {0}, stage {2}")
@MethodSource("applications")
class ServedPathsTest implements PathTricks {

    /** Random spellings only find what nobody has thought of yet, so most of them are left to the long run. */
    private static final boolean PROOF = Boolean.getBoolean("headgate.proof");

    private static final String[] BETWEEN = {
        "/",
        "/",
        "/",
        "//",
        "/./",
        "/%2e/",
        "/.;x/",
        "/%252e/",
        "/x/../",
        "/x/%2e%2e/",
        "/x/..;y/",
        "%2f",
        "%2F",
        "%252f",
        "%2f%2f",
        "\\",
        "%5c",
        "%255C",
        "/%20/",
        "/%09",
        "/;/",
        "%2f.%2f",
        "%2fx%2f..%2f",
        "/x//../",
        "/x%2f%2f..%2f"
    };
    private static final String[] AFTER = {
        "", "", "", "/", "//", "/.", "/%2e", "%2f", "%252F", ";x", "%3Bx", "/;x", "%20", ".", "%3Fx", "%23x", "%00",
        "\\", "%5c", "?x"
    };

    private static Running running;

    ServedPathsTest(String server, Serving serving, String stage) {}

    static Stream<Arguments> applications() {
        return Stream.of("Tomcat", "Jetty", "Netty")
                .flatMap(server -> Stream.of(Serving.values())
                        .flatMap(serving ->
                                Stream.of("handler", "filter").map(stage -> Arguments.of(server, serving, stage))));
    }

    @BeforeParameterizedClassInvocation
    static void startApplication(String server, Serving serving, String stage) {
        BiFunction<Class<?>, String[], Running> start = server.equals("Netty") ? Running::reactive : Running::servlet;
        running = start.apply(
                server.equals("Jetty") ? serving.onJetty : serving.application,
                new RuleLines()
                        .rule("login", "/api/login", "stage=" + stage, "limits=1/h")
                        .rule("deep", "/deep/**", "stage=" + stage, "limits=1/h")
                        .rule("open", "/open/**", "exclude=/open/health", "stage=" + stage, "limits=1/h")
                        .and(serving.locations(), Running.WITHOUT_SPRING_SECURITY));
    }

    @AfterParameterizedClassInvocation
    static void stopApplication() {
        running.close();
    }

    @Override
    public Running application() {
        return running;
    }

    /** A path that is no name of a file may fail: with 500 if not even the file system can say it. */
    @Override
    public void isHeldOff(String trick, Wire.Answer answer) {
        assertThat(answer.body()).as(trick).doesNotContain(SERVED);
        assertThat(answer.status()).as(trick).matches(status -> status == 0 || status >= 400, "is denied");
    }

    /** Spellings that nobody has thought of, made of those that somebody has. */
    @Test
    void randomSpellings() {
        long seed = Long.getLong("headgate.seed", new Random().nextLong());
        Random random = new Random(seed);
        String client = Target.stranger();
        spend(client, "GET /api/login");
        List<String> served = new ArrayList<>();
        for (int round = 0; round < Integer.getInteger("headgate.spellings", PROOF ? 3_000 : 30); round++) {
            String path = between(random)
                    + letters("api", random)
                    + between(random)
                    + letters("login", random)
                    + AFTER[random.nextInt(AFTER.length)];
            Wire.Answer answer = ask(client, "GET " + (path.startsWith("/") ? path : "/" + path));
            if (answer.body().contains(SERVED)) {
                served.add(path);
            }
        }
        assertThat(served)
                .as("served to a client with nothing left; headgate.seed=%d", seed)
                .isEmpty();
    }

    private static String between(Random random) {
        String all = BETWEEN[random.nextInt(BETWEEN.length)];
        return random.nextInt(4) == 0 ? all + BETWEEN[random.nextInt(BETWEEN.length)] : all;
    }

    private static String letters(String word, Random random) {
        int at = random.nextInt(word.length());
        String code = (random.nextBoolean() ? "%" : "%25") + Integer.toHexString(word.charAt(at));
        return random.nextInt(4) == 0 ? word.substring(0, at) + code + word.substring(at + 1) : word;
    }

    /** What serves the paths. */
    enum Serving {
        FUNCTIONS(ServedPaths.Functions.class, FunctionsOnJetty.class),
        FILES(ServedPaths.Files.class, FilesOnJetty.class),
        FUNCTIONS_FOR_FILES(ServedPaths.FunctionsForFiles.class, FunctionsForFilesOnJetty.class);

        private final Class<?> application;
        private final Class<?> onJetty;

        Serving(Class<?> application, Class<?> onJetty) {
            this.application = application;
            this.onJetty = onJetty;
        }

        String locations() {
            return "spring.web.resources.static-locations=" + (this == FILES ? ServedPaths.locations() : "");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJetty {

        @Bean
        JettyServlet server() {
            return new JettyServlet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({ServedPaths.Functions.class, OnJetty.class})
    static class FunctionsOnJetty {}

    @Configuration(proxyBeanMethods = false)
    @Import({ServedPaths.Files.class, OnJetty.class})
    static class FilesOnJetty {}

    @Configuration(proxyBeanMethods = false)
    @Import({ServedPaths.FunctionsForFiles.class, OnJetty.class})
    static class FunctionsForFilesOnJetty {}
}
