package io.headgate.spring.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Applications that serve the paths of {@link SecuritySuite.Api} without a controller. */
final class ServedPaths {

    private static final List<String> PATHS = List.of("api/login", "deep/x", "deep/y", "open/health", "open/secret");

    private static final List<String> LOCATIONS = List.of("classpath:/served/", directory(), jar());

    private ServedPaths() {}

    /** The same files in every kind of place that Spring reads files from; each kind reads a path in its own way. */
    static String locations() {
        return String.join(",", LOCATIONS);
    }

    private static List<Resource> resources() {
        return LOCATIONS.stream().map(new DefaultResourceLoader()::getResource).toList();
    }

    private static String directory() {
        try {
            Path directory = java.nio.file.Files.createTempDirectory("served");
            for (String path : PATHS) {
                Path file = directory.resolve(path);
                java.nio.file.Files.createDirectories(file.getParent());
                java.nio.file.Files.writeString(file, Target.SERVED);
            }
            return directory.toUri().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String jar() {
        try {
            Path jar = java.nio.file.Files.createTempFile("served", ".jar");
            try (JarOutputStream out = new JarOutputStream(java.nio.file.Files.newOutputStream(jar))) {
                for (String path : PATHS) {
                    out.putNextEntry(new JarEntry("inside/" + path));
                    out.write(Target.SERVED.getBytes(StandardCharsets.UTF_8));
                }
            }
            return "jar:" + jar.toUri() + "!/inside/";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Two.class, SecuritySuite.Time.class})
    static class Files {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Two.class, SecuritySuite.Time.class})
    static class Functions {

        @Bean
        RouterFunction<ServerResponse> reactive() {
            RouterFunctions.Builder routes = RouterFunctions.route();
            for (String path : PATHS) {
                routes.GET(
                        "/" + path.replace("deep/x", "deep/{*rest}"),
                        request -> ServerResponse.ok().bodyValue(Target.SERVED));
            }
            return routes.build();
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<?> mvc() {
            var routes = org.springframework.web.servlet.function.RouterFunctions.route();
            for (String path : PATHS) {
                routes.GET(
                        "/" + path.replace("deep/x", "deep/{*rest}"),
                        request -> org.springframework.web.servlet.function.ServerResponse.ok()
                                .body(Target.SERVED));
            }
            return routes.build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Two.class, SecuritySuite.Time.class})
    static class FunctionsForFiles {

        @Bean
        RouterFunction<ServerResponse> reactive() {
            return resources().stream()
                    .map(location -> RouterFunctions.resources("/**", location))
                    .reduce(RouterFunction::and)
                    .orElseThrow();
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<?> mvc() {
            return resources().stream()
                    .map(location ->
                            org.springframework.web.servlet.function.RouterFunctions.resources("/**", location))
                    .reduce(org.springframework.web.servlet.function.RouterFunction::and)
                    .orElseThrow();
        }
    }
}
