package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations on one key as one script call.
 *
 * <p>A script is sent by its digest, and in full if Redis does not know it; nothing else is ever sent again, but for two calls
 * that were answered without having done anything: "moved:", when the state of another limit was where the first one's belongs, and
 * "time:", when our clock is so far from that of Redis that no window of a calendar contained its time.
 */
final class ScriptBackend implements Backend {

    /** How often a call may find the state of yet another limit in its way. */
    private static final int ATTEMPTS = 8;

    private final Link link;
    private final Names names;
    private final Scripts scripts;
    private final ConcurrentHashMap<Plan, Program> programs = new ConcurrentHashMap<>();

    /** How far ahead of ours the clock of Redis was when that mattered. */
    private volatile long skewMicros;

    ScriptBackend(Link link, Names names, Scripts scripts) {
        this.link = link;
        this.names = names;
        this.scripts = scripts;
    }

    @Override
    public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
        Program program = programs.get(plan);
        if (program == null) {
            program = programs.computeIfAbsent(plan, missing -> new Program(missing, scripts));
        }
        Call call = new Call(key, program, operations);
        call.send();
        return call;
    }

    private final class Call extends CompletableFuture<List<Decision>>
            implements BiConsumer<byte @Nullable [], @Nullable Throwable> {

        private final Key key;
        private final Program program;
        private final List<Operation> operations;
        private final byte[][] arguments;
        private byte[][] keys;
        private int attempts;
        private boolean inFull;

        Call(Key key, Program program, List<Operation> operations) {
            this.key = key;
            this.program = program;
            this.operations = operations;
            this.keys = program.keys(names.of(key));
            this.arguments = program.arguments(operations);
            program.aim(arguments, nowMicros());
        }

        void send() {
            try {
                RedisScriptingAsyncCommands<byte[], byte[]> commands = link.commands();
                Script script = program.script();
                (inFull
                                ? commands.<byte[]>eval(script.text(), ScriptOutputType.VALUE, keys, arguments)
                                : commands.<byte[]>evalsha(script.sha(), ScriptOutputType.VALUE, keys, arguments))
                        .whenComplete(this);
            } catch (RuntimeException e) {
                completeExceptionally(Failures.of(e, link.address()));
            }
        }

        @Override
        public void accept(byte @Nullable [] reply, @Nullable Throwable failure) {
            if (reply != null) {
                answer(reply);
            } else if (unwrapped(failure) instanceof RedisNoScriptException && !inFull) {
                inFull = true;
                send();
            } else {
                completeExceptionally(
                        Failures.of(failure != null ? failure : new StoreException("an empty reply"), link.address()));
            }
        }

        private void answer(byte[] reply) {
            try {
                if (reply[0] == 'm' || reply[0] == 't') {
                    again(new String(reply, StandardCharsets.UTF_8));
                } else {
                    complete(program.decisions(reply, key.subject(), operations));
                }
            } catch (RuntimeException e) {
                completeExceptionally(new StoreException(Reason.OTHER, "a reply that makes no sense", e));
            }
        }

        private void again(String reply) {
            if (attempts++ == ATTEMPTS) {
                completeExceptionally(
                        new StoreException(Reason.CONTENTION, "the limits of a key keep changing places"));
                return;
            }
            String said = reply.substring(reply.indexOf(':') + 1);
            if (reply.startsWith("moved:")) {
                int home = program.limits();
                keys = Arrays.copyOf(keys, home + 2);
                keys[home + 1] = said.isEmpty() ? keys[home] : Names.of(keys[0], said.getBytes(StandardCharsets.UTF_8));
            } else {
                skewMicros = Long.parseLong(said) - wallMicros();
                program.aim(arguments, Long.parseLong(said));
            }
            send();
        }
    }

    private long nowMicros() {
        return wallMicros() + skewMicros;
    }

    private static long wallMicros() {
        return System.currentTimeMillis() * 1_000;
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException ? thrown.getCause() : thrown;
    }
}
