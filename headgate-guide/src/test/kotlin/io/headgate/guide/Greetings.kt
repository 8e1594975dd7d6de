package io.headgate.guide

import io.headgate.spring.RateLimit
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

// snippet
@RestController
class Greetings {

    @RateLimit("2/min")                                     // each address, before the handler is called
    @GetMapping("/hello")
    suspend fun hello(): String {
        delay(1)                                            // work that suspends
        return "hello"
    }

    @RateLimit("2/min", key = "#name")                      // each name
    @GetMapping("/hello/{name}")
    suspend fun hello(@PathVariable name: String): String {
        delay(1)                                            // work that suspends
        return "hello, $name"
    }

    @RateLimit("2/min", key = "#name")
    @GetMapping("/words/{name}")
    fun words(@PathVariable name: String): Flow<String> = flowOf("hello, ", name)
}
// end
