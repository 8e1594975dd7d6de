package io.headgate.guide

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.springframework.boot.WebApplicationType

/** Limits on handlers that suspend or return a flow. */
class SuspendHandlerTest {

    @ParameterizedTest
    @EnumSource(names = ["SERVLET", "REACTIVE"])
    fun `handlers are limited by request and by key`(type: WebApplicationType) {
        Application.start(type, "", Greetings::class.java).use {
            assertThat(it.statuses(3, "/hello")).containsExactly(200, 200, 429)
            assertThat(it.statuses(3, "/hello/alice")).containsExactly(200, 200, 429)
            assertThat(it.get("/hello/bob").body()).isEqualTo("hello, bob")
            assertThat(it.statuses(3, "/words/alice")).containsExactly(200, 200, 429)
            assertThat(it.get("/hello/alice").headers().firstValue("Retry-After")).isPresent()
        }
    }

    @ParameterizedTest
    @EnumSource(names = ["SERVLET", "REACTIVE"])
    fun `a rule charges a handler that suspends once`(type: WebApplicationType) {
        val rule = "headgate.rules:\n  - name: api\n    path: /hello/**\n    limits: 2/h\n    match: all"
        Application.start(type, rule, Greetings::class.java).use {
            assertThat(it.statuses(3, "/hello/alice")).containsExactly(200, 200, 429)
        }
    }
}
