package io.headgate.benchmarks.served;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The same endpoint behind two fronts in one process. The code that the JIT compiler produces and the layout of the heap vary from
 * start to start; within one process both endpoints share them. The process ends when its standard input ends.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Application.Endpoint.class)
class Application implements WebMvcConfigurer {

    static final String STARTED = "started on ";

    private final ObjectProvider<Peer> peers;

    Application(ObjectProvider<Peer> peers) {
        this.peers = peers;
    }

    /**
     * Serves the endpoint behind two fronts until the standard input ends.
     *
     * @param arguments the names of both fronts, and the port of a Redis server
     */
    public static void main(String[] arguments) throws IOException {
        try (ConfigurableApplicationContext floor = start(Front.valueOf(arguments[0]), arguments[2]);
                ConfigurableApplicationContext other = start(Front.valueOf(arguments[1]), arguments[2])) {
            System.out.println(STARTED + port(floor) + " " + port(other));
            while (System.in.read() >= 0) {
                // until the measuring process closes the pipe
            }
        }
    }

    private static ConfigurableApplicationContext start(Front front, String redis) {
        Class<?>[] sources = front.more == null
                ? new Class<?>[] {Application.class}
                : new Class<?>[] {Application.class, front.more};
        List<String> settings = new ArrayList<>(front.settings());
        settings.addAll(List.of(
                "--server.port=0",
                "--server.tomcat.max-keep-alive-requests=-1",
                "--logging.level.root=warn",
                "--spring.main.banner-mode=off",
                "--spring.data.redis.port=" + redis));
        return SpringApplication.run(sources, settings.toArray(String[]::new));
    }

    private static @Nullable String port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getProperty("local.server.port");
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        peers.forEach(registry::addInterceptor);
    }

    @RestController
    static class Endpoint {

        @GetMapping("/api/hello")
        String hello() {
            return "hello";
        }
    }
}
