package io.headgate.benchmarks.served;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** One endpoint with something in front of it, in a process of its own that ends when its input does. */
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
     * Serves until its input ends.
     *
     * @param arguments the name of the front, and the port of a Redis
     */
    public static void main(String[] arguments) throws IOException {
        Front front = Front.valueOf(arguments[0]);
        Class<?>[] sources = front.more == null
                ? new Class<?>[] {Application.class}
                : new Class<?>[] {Application.class, front.more};
        List<String> settings = new ArrayList<>(front.settings());
        settings.addAll(List.of(
                "--server.port=0",
                "--server.tomcat.max-keep-alive-requests=-1",
                "--logging.level.root=warn",
                "--spring.main.banner-mode=off",
                "--spring.data.redis.port=" + arguments[1]));
        ConfigurableApplicationContext context = SpringApplication.run(sources, settings.toArray(String[]::new));
        System.out.println(STARTED + context.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
            // until whoever measures is gone
        }
        context.close();
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
