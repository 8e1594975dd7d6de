package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the store's own connection takes over from the application, and what it does not. */
class ClientSettingsTest {

    @Test
    void goesByTheNameOfTheApplicationThroughSentinelsToo() {
        for (RedisURI.Builder each : new RedisURI.Builder[] {
            RedisURI.Builder.redis("localhost"), RedisURI.Builder.sentinel("localhost", "main")
        }) {
            RedisURI given = each.withClientName("shop")
                    .withLibraryName("ours")
                    .withLibraryVersion("1.2")
                    .withDatabase(3)
                    .build();

            assertThat(ClientSettings.copy(given, Duration.ofSeconds(7)))
                    .returns("shop", RedisURI::getClientName)
                    .returns("ours", RedisURI::getLibraryName)
                    .returns("1.2", RedisURI::getLibraryVersion)
                    .returns(3, RedisURI::getDatabase)
                    .returns(Duration.ofSeconds(7), RedisURI::getTimeout)
                    .returns(given.getSentinels(), RedisURI::getSentinels);
        }
    }

    @Test
    void keepsThePassword() {
        RedisURI given = RedisURI.create("redis-sentinel://alice:secret@localhost/3#main");

        assertThat(ClientSettings.copy(given, Duration.ofSeconds(7)).getCredentialsProvider())
                .isSameAs(given.getCredentialsProvider());
    }

    @Test
    void triesToReconnectEveryHalfSecondAtTheLatest() {
        for (int attempt = 1; attempt <= 10_000; attempt++) {
            assertThat(ClientSettings.pauses().createDelay(attempt)).isBetween(Duration.ZERO, Duration.ofMillis(500));
        }
    }
}
