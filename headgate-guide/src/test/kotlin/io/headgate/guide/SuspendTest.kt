package io.headgate.guide

import io.headgate.Headgate
import io.headgate.TimeSource
import io.headgate.http.Subject
import io.headgate.memory.MemoryStore
import io.headgate.spring.MethodKeyResolver
import io.headgate.spring.RateLimit
import io.headgate.spring.RateLimitExceededException
import java.lang.reflect.Method
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import kotlin.coroutines.Continuation
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.boot.WebApplicationType.NONE
import org.springframework.context.annotation.Bean

/** Limits on functions of Kotlin that suspend or return a flow. */
class SuspendTest {

    companion object {

        /** The thread, without the coroutine that its name tells of where assertions are enabled. */
        fun thread() = Thread.currentThread().name.substringBefore(" @")

        private val application = Application.start(NONE, "", Service::class.java, Keys::class.java)

        @JvmStatic
        @AfterAll
        fun close() = application.close()
    }

    @Test
    fun `the page's service is limited by customer and answers with its fallback`() = withInvoices {
        repeat(5) { _ -> assertThat(it.create("alice")).isEqualTo("the invoice of alice") }
        assertThat(it.create("alice")).startsWith("not yet, alice")
        assertThat(it.create("bob")).isEqualTo("the invoice of bob")
    }

    @Test
    fun `a flow is charged by each collection`() = withInvoices {
        val all = it.all("alice")
        it.all("alice")
        assertThat(all.toList()).hasSize(2)
        assertThat(all.first()).isEqualTo("the first of alice")
        assertThrows<RateLimitExceededException> { all.toList() }
        assertThat(it.all("bob").toList()).hasSize(2)
    }

    open class Service {

        @RateLimit("2/h")
        open suspend fun plain(): String = later("plain")

        @RateLimit("2/h", key = "#p0 + #user", name = "sum")
        open suspend fun sum(user: Int, other: Int = 1): Int = later(user + other)

        @RateLimit("1/h", key = "#user", fallback = "now")
        open suspend fun withPlainFallback(user: String): String = later(user)

        open fun now(user: String): String = "now, $user"

        @RateLimit("1/h", fallback = "nothing")
        open suspend fun unit(done: MutableList<String>) {
            delay(1)
            done += "done"
        }

        open suspend fun nothing(done: MutableList<String>, denied: RateLimitExceededException) {
            delay(1)
            done += denied.verdict().rule().toString()
        }

        @RateLimit("10/h")
        open suspend fun noKey(user: String, number: Int): String = later("$user $number")

        @RateLimit("10/h")
        open suspend fun ten(): String = later("ten")

        @RateLimit("1/h")
        open suspend fun suspendedFlow(): Flow<String> = flowOf(later("a"), "b")

        @RateLimit("1/h", fallback = "others")
        open fun words(): Flow<String> = flowOf("a", "b")

        open fun others(denied: RateLimitExceededException): Flow<String> = flowOf("c", denied.javaClass.simpleName)

        @RateLimit("1/h")
        open suspend fun fails(): String {
            delay(1)
            throw IllegalStateException("its own")
        }

        @RateLimit("100/h")
        open suspend fun name(): String? = coroutineContext[CoroutineName]?.name

        @RateLimit("100/h")
        open fun names(): Flow<String> = flow {
            emit(coroutineContext[CoroutineName]?.name + " on " + thread())
        }

        private suspend fun <T> later(value: T): T {
            delay(1)
            return value
        }
    }

    @Test
    fun `a call is charged once and denied in the coroutine of its caller`() = withService {
        repeat(2) { _ -> assertThat(it.plain()).isEqualTo("plain") }
        assertThrows<RateLimitExceededException> { it.plain() }
    }

    @Test
    fun `of calls at the same time as many are allowed as the limit says`() = withService {
        val made = withContext(Dispatchers.Default) {
            List(50) { _ -> async { runCatching { it.ten() }.isSuccess } }.awaitAll()
        }
        assertThat(made.count { it }).isEqualTo(10)
    }

    @Test
    fun `a key reads the arguments by name and by place`() = withService {
        assertThat(it.sum(1)).isEqualTo(2)
        assertThat(it.sum(1, 5)).isEqualTo(6)
        assertThrows<RateLimitExceededException> { it.sum(1) }
        assertThat(it.sum(2)).isEqualTo(3)
    }

    @Test
    fun `a fallback may suspend or not and return nothing`() = withService {
        val done = mutableListOf<String>()
        assertThat(List(2) { _ -> it.withPlainFallback("alice") }).containsExactly("alice", "now, alice")
        repeat(2) { _ -> it.unit(done) }
        assertThat(done).containsExactly("done", "Service#unit")
    }

    @Test
    fun `a suspending function that returns a flow is charged by each collection`() = withService {
        val words = it.suspendedFlow()
        assertThat(words.toList()).containsExactly("a", "b")
        assertThrows<RateLimitExceededException> { words.toList() }
    }

    @Test
    fun `the fallback of a flow is a flow`() = withService {
        val words = it.words()
        assertThat(words.toList()).containsExactly("a", "b")
        assertThat(words.toList()).containsExactly("c", "RateLimitExceededException")
    }

    @Test
    fun `its own exceptions are its caller's`() = withService {
        assertThat(assertThrows<IllegalStateException> { it.fails() }).hasMessage("its own")
        assertThrows<RateLimitExceededException> { it.fails() }
    }

    @Test
    fun `the context of the caller stays around it`() = withService {
        val threads = Executors.newSingleThreadExecutor { Thread(it, "a thread of its own") }
        threads.asCoroutineDispatcher().use { own ->
            withContext(CoroutineName("alice") + own) {
                assertThat(it.name()).isEqualTo("alice")
                assertThat(it.names().toList()).containsExactly("alice on a thread of its own")
            }
        }
    }

    class Late {

        @Bean
        fun store() = LateStore(MemoryStore(Headgate.algorithms(), TimeSource.system(), 100))
    }

    @Test
    fun `no thread waits for the store`() {
        Application.start(NONE, "headgate.guard.deadline: 20s", Service::class.java, Late::class.java).use {
            val store = it.bean(LateStore::class.java)
            val service = it.bean(Service::class.java)
            runBlocking(CoroutineName("alice")) {
                val name = async { service.name() }
                val names = async { service.names().toList() }
                val cancelled = launch { service.plain() }
                store.asked.await()
                cancelled.cancelAndJoin()
                assertThat(name.isCompleted || names.isCompleted).isFalse()
                store.answer()
                assertThat(name.await()).isEqualTo("alice")
                assertThat(names.await()).containsExactly("alice on " + thread())
            }
        }
    }

    class Keys : MethodKeyResolver {

        val seen = CopyOnWriteArrayList<Any?>()

        override fun resolve(method: Method, arguments: Array<Any?>): Subject {
            seen.addAll(arguments)
            return Subject.of("all")
        }
    }

    @Test
    fun `a resolver of keys does not see the continuation`() = withService {
        it.noKey("alice", 7)
        assertThat(application.bean(Keys::class.java).seen).contains("alice", 7).noneMatch { it is Continuation<*> }
    }

    private fun withService(test: suspend (Service) -> Unit) =
        runBlocking { test(application.bean(Service::class.java)) }

    private fun withInvoices(test: suspend (Invoices) -> Unit) =
        Application.start(NONE, "", Invoices::class.java).use {
            runBlocking { test(it.bean(Invoices::class.java)) }
        }
}
