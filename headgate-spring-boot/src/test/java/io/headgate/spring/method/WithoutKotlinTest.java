package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/** An application in Java has neither Kotlin nor its coroutines. */
class WithoutKotlinTest {

    @Test
    void callsAreLimitedWithoutAClassOfKotlin() throws Exception {
        try (URLClassLoader java = new URLClassLoader(withoutKotlin(), ClassLoader.getPlatformClassLoader())) {
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> java.loadClass("kotlin.coroutines.Continuation"));
            Method make = java.loadClass(ReactiveCalls.class.getName()).getDeclaredMethod("applies", Method.class);
            ReflectionUtils.makeAccessible(make);
            Method flux = java.loadClass(Flux.class.getName()).getMethod("next");
            Method text = Object.class.getMethod("toString");
            assertThat(make.invoke(null, flux)).isEqualTo(true);
            assertThat(make.invoke(null, text)).isEqualTo(false);
        }
    }

    private static URL[] withoutKotlin() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(each -> !each.getFileName().toString().startsWith("kotlin"))
                .map(WithoutKotlinTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
