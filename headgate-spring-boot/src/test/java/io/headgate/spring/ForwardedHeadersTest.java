package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedHeadersTest {

    @ParameterizedTest
    @ValueSource(strings = {"Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-FORWARDED-PREFIX"})
    void knowsTheHeadersOfProxies(String name) {
        assertThat(ForwardedHeaders.isOne(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "For", "X-Real-IP", "X-Forward", "Authorization"})
    void knowsOtherHeaders(String name) {
        assertThat(ForwardedHeaders.isOne(name)).isFalse();
    }
}
