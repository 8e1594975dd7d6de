package io.headgate.spring.boot.autoconfigure;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import io.headgate.redis.RedisStore;
import io.headgate.redis.RedisStoreBuilder;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps counts in Redis if the application has a connection to it. The store takes the settings of the application and opens its
 * own connection. Which client the application uses is known only once the bean exists, since it may be declared by its interface.
 */
@AutoConfiguration(
        before = HeadgateAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnEnabled
@Conditional(RedisUnlessMemory.class)
@EnableConfigurationProperties(HeadgateProperties.class)
public final class HeadgateRedisAutoConfiguration {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final String REMEDY =
            "Declare a LettuceConnectionFactory, or a Store bean such as RedisStore.connect(uri),"
                    + " or set headgate.store=memory.";

    /**
     * Falls back to memory if the connection is not Lettuce's and {@code headgate.store} does not say {@code redis}. If there are
     * several connections and none is primary, the one named like the parameter counts, as everywhere in Spring, or else the only
     * Lettuce one.
     */
    @Bean
    @ConditionalOnMissingBean(Store.class)
    Store headgateRedisStore(
            ObjectProvider<RedisConnectionFactory> redisConnectionFactory,
            HeadgateProperties properties,
            Algorithms algorithms,
            TimeSource time,
            ObjectProvider<Algorithm<?>> own) {
        RedisConnectionFactory connections = theOneOf(redisConnectionFactory);
        if (connections instanceof LettuceConnectionFactory lettuce) {
            RedisStore store = store(lettuce, properties.redis(), own);
            Eviction.warn(store, LOG);
            return store;
        }
        String problem = "the application reaches Redis through "
                + connections.getClass().getName() + ", and only a LettuceConnectionFactory reveals its address";
        if (properties.store() == HeadgateProperties.StoreKind.REDIS) {
            throw new InvalidSettingException("headgate.store", "redis", problem, REMEDY, null);
        }
        LOG.warn("counts are kept in memory, by each instance on its own: " + problem + ". " + REMEDY);
        return HeadgateAutoConfiguration.memory(properties, algorithms, time);
    }

    private static RedisConnectionFactory theOneOf(ObjectProvider<RedisConnectionFactory> factories) {
        try {
            return factories.getObject();
        } catch (NoUniqueBeanDefinitionException e) {
            List<RedisConnectionFactory> lettuce = factories.stream()
                    .filter(LettuceConnectionFactory.class::isInstance)
                    .toList();
            if (lettuce.size() == 1) {
                return lettuce.get(0);
            }
            throw new InvalidSettingException(
                    "headgate.store",
                    null,
                    "there are several connections to Redis and none is primary: " + e.getBeanNamesFound(),
                    "Make one of them @Primary, declare a Store bean, or set headgate.store=memory.",
                    e);
        }
    }

    private static RedisStore store(
            LettuceConnectionFactory connections, HeadgateProperties.Redis settings, ObjectProvider<Algorithm<?>> own) {
        return builder(connections, settings, own)
                .startDegraded(HeadgateRedisAutoConfiguration::stopOrWarn)
                .build();
    }

    /** Warns if Redis may still come up; stops the start-up if only another setting can help. */
    private static void stopOrWarn(StoreException failure) {
        String problem = String.valueOf(failure.getMessage());
        if (failure.reason() == StoreException.Reason.UNAUTHORIZED) {
            throw new InvalidSettingException(
                    "spring.data.redis.username and password",
                    null,
                    problem,
                    "Correct the credentials or the permissions of the user, or set headgate.store=memory.",
                    failure);
        }
        if (problem.contains("DB index is out of range")) {
            throw new InvalidSettingException(
                    "spring.data.redis.database",
                    null,
                    problem,
                    "Name a database that Redis has, or set headgate.store=memory.",
                    failure);
        }
        LOG.warn("until Redis can be reached, every rule follows its on-store-failure: " + problem);
    }

    private static RedisStoreBuilder builder(
            LettuceConnectionFactory connections, HeadgateProperties.Redis settings, ObjectProvider<Algorithm<?>> own) {
        if (!connections.isRunning()) {
            connections.start(); // it was told to wait until the context has started
        }
        RedisStoreBuilder builder = of(connections.getRequiredNativeClient());
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

    /** Rejects a client without an address of a master, such as one for static replicas without Sentinels. */
    private static RedisStoreBuilder of(AbstractRedisClient client) {
        try {
            return client instanceof RedisClusterClient cluster
                    ? RedisStore.builder(cluster)
                    : RedisStore.builder((RedisClient) client);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "spring.data.redis",
                    null,
                    String.valueOf(e.getMessage()),
                    "Set a host, Sentinels or the nodes of a cluster, or set headgate.store=memory.",
                    e);
        }
    }
}
