package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

class BootVersionCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"1.5.22.RELEASE", "2.7.18", "3.0.13", "3.4.13", "5.0.0", "5.0.0-M1", "10.0.0-SNAPSHOT"})
    void stopsOnOtherLines(String version) {
        InvalidSettingException stop =
                catchThrowableOfType(InvalidSettingException.class, () -> BootVersionCheck.check(version));
        FailureAnalysis report = new InvalidSettingFailureAnalyzer().analyze(stop, stop);
        assertThat(report.getDescription())
                .isEqualTo("Spring Boot = " + version + ": Headgate runs with Spring Boot 3.5, 4.0 and 4.1");
        assertThat(report.getAction()).startsWith("Use one of these lines of Spring Boot");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {"3.5.0", "3.5.16", "3.6.0-SNAPSHOT", "4.0.7", "4.1.1", "4.1.0-RC1", "4.12.3", "", "unknown"})
    void startsOnTheLinesThatWorkAndOnThoseThatItCannotRead(String version) {
        assertThatNoException().isThrownBy(() -> BootVersionCheck.check(version));
    }

    @Test
    void isAskedBeforeEverythingElseAndKnowsThisLine() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(ApplicationContextInitializer.class)
                        .get(0))
                .isInstanceOf(BootVersionCheck.class);
        assertThat(SpringBootVersion.getVersion()).isNotEmpty();
        assertThatNoException().isThrownBy(() -> new BootVersionCheck().initialize(new StaticApplicationContext()));
    }
}
