package io.headgate.guide

import io.headgate.spring.RateLimit
import io.headgate.spring.RateLimitExceededException
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.stereotype.Service

// snippet
@Service
class Invoices {

    @RateLimit("5/min", key = "#customer", fallback = "later")
    suspend fun create(customer: String): String {
        delay(1)                                            // work that suspends
        return "the invoice of $customer"
    }

    suspend fun later(customer: String, denied: RateLimitExceededException): String {
        delay(1)                                            // work that suspends
        return "not yet, $customer: ${denied.message}"
    }

    @RateLimit("2/min", key = "#customer")
    fun all(customer: String): Flow<String> = flow {
        emit("the first of $customer")
        emit("the second of $customer")
    }
}
// end
