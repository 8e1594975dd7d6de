package io.headgate.benchmarks.served;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limiter, if any, in front of the endpoint. */
enum Front {
    BARE("nothing", null),

    /** The same as {@link #BARE}: shows how much the measurements of two equal endpoints differ. */
    BARE_AGAIN("nothing, once more", null),
    IDLE("an interceptor that does nothing", IdleInterceptor.class),
    HEADERS("an interceptor that sends five headers and does nothing else", HeadersInterceptor.class),
    HEADGATE("Headgate, in process", null),
    HEADGATE_STANDARD_HEADERS("Headgate, in process, the two standard quota headers", null),
    HEADGATE_WITHOUT_HEADERS("Headgate, in process, without quota headers", null),
    BUCKET4J("an interceptor over Bucket4j, in process", Bucket4jInterceptor.class),
    BUCKET4J_STARTER("the starter of Bucket4j, in process", StarterCache.class),
    HEADGATE_DENYING("Headgate, denying", null),
    HEADGATE_REDIS("Headgate, over Redis", null),
    HEADGATE_REDIS_AHEAD("Headgate, over Redis, permits taken ahead for 50 ms", null),
    INCR_REDIS("an interceptor with INCR and EXPIRE, over Redis", IncrInterceptor.class),
    TUTORIAL_REDIS("an interceptor with a script and two headers, over Redis", TutorialInterceptor.class);

    /** A limit per minute that no measurement reaches, with no more digits in the headers than necessary. */
    static final long ENOUGH = 9_000_000;

    final String label;

    /** An additional class of the application beside its endpoint. */
    final @Nullable Class<?> more;

    Front(String label, @Nullable Class<?> more) {
        this.label = label;
        this.more = more;
    }

    /** The length of a turn. Permits taken ahead are given back during the turn of the other endpoint, which must not happen often. */
    long turnMillis() {
        return this == HEADGATE_REDIS_AHEAD ? 1_010 : 60;
    }

    /** The status of the response to every request but the first. */
    int status() {
        return this == HEADGATE_DENYING ? 429 : 200;
    }

    /** The header that shows that the front is in force; {@code null} if it sends none. */
    @Nullable
    String header() {
        return switch (this) {
            case BARE, BARE_AGAIN, IDLE, HEADGATE_WITHOUT_HEADERS, INCR_REDIS -> null;
            case HEADERS, HEADGATE, HEADGATE_STANDARD_HEADERS, HEADGATE_DENYING, HEADGATE_REDIS, HEADGATE_REDIS_AHEAD ->
                "RateLimit:";
            case BUCKET4J, TUTORIAL_REDIS -> "X-RateLimit-Remaining:";
            case BUCKET4J_STARTER -> "X-Rate-Limit-Remaining:";
        };
    }

    List<String> settings() {
        List<String> settings = new ArrayList<>();
        settings.add("--headgate.enabled=" + name().startsWith("HEADGATE"));
        settings.add("--bucket4j.enabled=" + (this == BUCKET4J_STARTER));
        settings.addAll(
                switch (this) {
                    case BARE, BARE_AGAIN, IDLE, HEADERS, BUCKET4J, INCR_REDIS, TUTORIAL_REDIS -> List.<String>of();
                    case HEADGATE, HEADGATE_STANDARD_HEADERS, HEADGATE_WITHOUT_HEADERS ->
                        headgate("memory", ENOUGH + "/min");
                    case HEADGATE_DENYING -> headgate("memory", "1/day");
                    case HEADGATE_REDIS, HEADGATE_REDIS_AHEAD -> headgate("redis", ENOUGH + "/min");
                    case BUCKET4J_STARTER -> starter();
                });
        if (this == HEADGATE_STANDARD_HEADERS) {
            settings.add("--headgate.headers=rate-limit,retry-after");
        }
        if (this == HEADGATE_WITHOUT_HEADERS) {
            settings.add("--headgate.headers=retry-after");
        }
        if (this == HEADGATE_REDIS_AHEAD) {
            settings.add("--headgate.redis.ahead-for=50ms");
        }
        return settings;
    }

    private static List<String> headgate(String store, String limit) {
        return List.of(
                "--headgate.store=" + store,
                "--headgate.rules[0].name=api",
                "--headgate.rules[0].path=/api/**",
                "--headgate.rules[0].subject=ip",
                "--headgate.rules[0].limits=" + limit);
    }

    private static List<String> starter() {
        return List.of(
                "--bucket4j.cache-to-use=jcache",
                "--spring.cache.type=jcache",
                "--spring.cache.jcache.provider=com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider",
                "--bucket4j.filters[0].cache-name=buckets",
                "--bucket4j.filters[0].url=/api/.*",
                "--bucket4j.filters[0].rate-limits[0].cache-key=getRemoteAddr()",
                "--bucket4j.filters[0].rate-limits[0].bandwidths[0].capacity=" + ENOUGH,
                "--bucket4j.filters[0].rate-limits[0].bandwidths[0].time=1",
                "--bucket4j.filters[0].rate-limits[0].bandwidths[0].unit=minutes");
    }
}
