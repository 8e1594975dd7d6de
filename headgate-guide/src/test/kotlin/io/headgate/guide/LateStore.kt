package io.headgate.guide

import io.headgate.Decision
import io.headgate.Ledger
import io.headgate.Operation
import io.headgate.Plan
import io.headgate.Store
import io.headgate.memory.MemoryStore
import java.util.concurrent.CompletableFuture

/** Answers an asynchronous operation once it is told to, and no other. */
class LateStore(private val memory: MemoryStore) : Store {

    private val told = CompletableFuture<Unit>()

    val asked = CompletableFuture<Unit>()

    fun answer() = told.complete(Unit)

    override fun blocks() = false

    override fun bind(scope: String, plan: Plan): Ledger {
        val ledger = memory.bind(scope, plan)
        return object : Ledger {
            override fun apply(subject: String, operation: Operation): Decision =
                throw AssertionError("a thread waits for the store")

            override fun applyAsync(subject: String, operation: Operation): CompletableFuture<Decision> {
                asked.complete(Unit)
                return told.thenApply { ledger.apply(subject, operation) }
            }
        }
    }
}
