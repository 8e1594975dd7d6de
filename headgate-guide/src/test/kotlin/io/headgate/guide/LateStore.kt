package io.headgate.guide

import io.headgate.Decision
import io.headgate.Key
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

    override fun apply(key: Key, plan: Plan, operation: Operation): Decision =
        throw AssertionError("a thread waits for the store")

    override fun applyAsync(key: Key, plan: Plan, operation: Operation): CompletableFuture<Decision> {
        asked.complete(Unit)
        return told.thenApply { memory.apply(key, plan, operation) }
    }

    override fun check(plan: Plan) = memory.check(plan)
}
