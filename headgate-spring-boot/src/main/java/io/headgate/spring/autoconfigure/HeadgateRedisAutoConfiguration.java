package io.headgate.spring.autoconfigure;

import io.headgate.Algorithm;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.redis.RedisStore;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Counts kept in Redis, where the application has a connection to it: the settings are the application's, the connection is
 * our own.
 */
@AutoConfiguration(
        before = HeadgateAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
@ConditionalOnBean(LettuceConnectionFactory.class)
@ConditionalOnBooleanProperty(name = "headgate.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "headgate.store", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(HeadgateProperties.class)
public final class HeadgateRedisAutoConfiguration {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    @Bean
    @ConditionalOnMissingBean(Store.class)
    RedisStore headgateRedisStore(
            LettuceConnectionFactory connections, HeadgateProperties properties, ObjectProvider<Algorithm<?>> own) {
        RedisStore store = store(connections, properties.redis(), own);
        Eviction.warn(connections, LOG);
        return store;
    }

    private static RedisStore store(
            LettuceConnectionFactory connections, HeadgateProperties.Redis settings, ObjectProvider<Algorithm<?>> own) {
        try {
            return builder(connections, settings, own).build();
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNAUTHORIZED) {
                throw new InvalidSettingException(
                        "spring.data.redis.username and password",
                        null,
                        String.valueOf(e.getMessage()),
                        "Correct the credentials, or write headgate.store=memory.",
                        e);
            }
            LOG.warn("every rule does as its on-store-failure says until Redis can be reached: " + e.getMessage());
            return builder(connections, settings, own).startDegraded().build();
        }
    }

    private static RedisStore.Builder builder(
            LettuceConnectionFactory connections, HeadgateProperties.Redis settings, ObjectProvider<Algorithm<?>> own) {
        RedisStore.Builder builder = of(connections.getRequiredNativeClient());
        Setting.use("headgate.redis.key-prefix", settings.keyPrefix(), builder::keyPrefix);
        Setting.use("headgate.redis.timeout", settings.timeout(), builder::timeout);
        Setting.use("headgate.redis.ahead-for", settings.aheadFor(), builder::aheadFor);
        own.orderedStream().forEach(builder::algorithm);
        String secret = settings.keySecret();
        return secret == null
                ? builder
                : Setting.use(
                        "headgate.redis.key-secret",
                        secret,
                        text -> builder.keySecret(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A client that knows no address, as of replicas without Sentinels, is none that a store can follow to the master. */
    private static RedisStore.Builder of(AbstractRedisClient client) {
        try {
            return client instanceof RedisClusterClient cluster
                    ? RedisStore.builder(cluster)
                    : RedisStore.builder((RedisClient) client);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "spring.data.redis",
                    null,
                    String.valueOf(e.getMessage()),
                    "Name a host, Sentinels or the nodes of a cluster, or write headgate.store=memory.",
                    e);
        }
    }
}
