package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A call that would be repeated after the connection was closed. */
class ScriptCallTest {

    private static final RedisURI NOBODY = RedisURI.create("redis://127.0.0.1:1");

    private final RedisConnection connection =
            RedisConnection.to(NOBODY, null, ClientOptions.create(), Duration.ofMinutes(1));
    private final ScriptCall call =
            new ScriptCall(connection, "return 1", "digest", new byte[0][], new byte[0][], System.nanoTime());

    /** Its caller would wait forever. */
    @Test
    void failsIfTheConnectionIsClosedBeforeItIsRepeated() throws Exception {
        connection.close();
        call.accept(
                null, new RedisCommandExecutionException("TRYAGAIN Multiple keys request during rehashing of slot"));

        assertThat(call.handle((reply, failure) -> failure).get(10, TimeUnit.SECONDS))
                .isInstanceOf(StoreException.class);
    }
}
