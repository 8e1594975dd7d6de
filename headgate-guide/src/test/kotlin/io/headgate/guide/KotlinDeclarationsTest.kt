package io.headgate.guide

import io.headgate.spring.AnnotatedLimits
import io.headgate.spring.RateLimit
import io.headgate.spring.RateLimitExceededException
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.aopalliance.intercept.MethodInterceptor
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.aop.framework.ProxyFactory
import org.springframework.boot.WebApplicationType.NONE
import org.springframework.context.annotation.Bean
import reactor.core.publisher.Mono

/** Annotations on what Kotlin declares differently from Java. */
class KotlinDeclarationsTest {

    open class Continued {

        @RateLimit("9/h", key = "#p1")
        open suspend fun one(user: String): String = user
    }

    @Test
    fun `the continuation is no argument`() {
        assertThatThrownBy { Application.start(NONE, "", Continued::class.java).close() }
            .hasStackTraceContaining("'#p1' refers to #p1, which is not an argument of the method")
            .hasStackTraceContaining("the arguments are [#user, #p0]")
    }

    @RateLimit("1/h")
    open class Whole {

        open suspend fun one(user: String = "alice"): String = "one, $user"

        open suspend fun one(number: Int): String = "one, $number"

        @RateLimit("1/h")
        @RateLimit("2/h", key = "#user")
        open suspend fun both(user: String): String = user
    }

    @Test
    fun `budgets are named after what the source has`() {
        Application.start(NONE, "", Whole::class.java).use { application ->
            runBlocking {
                val whole = application.bean(Whole::class.java)
                whole.one()
                val denied = assertThrows<RateLimitExceededException> { whole.one() }
                assertThat(denied.verdict().rule()).isEqualTo("Whole#one(String)")
                whole.one(1)
                whole.both("alice")
                assertThrows<RateLimitExceededException> { whole.both("alice") }
            }
            assertThat(application.bean(AnnotatedLimits::class.java).all().map { it.rule().name() })
                .containsExactlyInAnyOrder("Whole#both", "Whole#both.2", "Whole#one(String)", "Whole#one(int)")
        }
    }

    interface Contract {

        @RateLimit("1/h", key = "#user", fallback = "later")
        suspend fun ask(user: String): String

        suspend fun later(user: String, denied: RateLimitExceededException): String {
            delay(1)
            return "later, $user"
        }
    }

    class Made {

        /** As repositories are made: what is behind the proxy has nothing of the interface. */
        @Bean
        fun contract(): Contract = ProxyFactory(Any()).run {
            addInterface(Contract::class.java)
            addAdvice(MethodInterceptor { Mono.just("asked by ${it.arguments[0]}") })
            proxy as Contract
        }
    }

    @Test
    fun `an interface without a class may have a fallback that suspends`() {
        Application.start(NONE, "", Made::class.java).use {
            val contract = it.bean(Contract::class.java)
            assertThat(runBlocking { contract.ask("alice") }).isEqualTo("asked by alice")
            assertThat(runBlocking { contract.ask("alice") }).isEqualTo("later, alice")
        }
    }

    class Final {

        @RateLimit("1/h")
        suspend fun one(): String = ""
    }

    @Test
    fun `a final class is told what Kotlin needs`() {
        assertThatThrownBy { Application.start(NONE, "", Final::class.java).close() }
            .hasStackTraceContaining("declare it open, or use the compiler plugin kotlin-spring")
    }
}
