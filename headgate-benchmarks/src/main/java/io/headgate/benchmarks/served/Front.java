package io.headgate.benchmarks.served;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands in front of the endpoint. */
enum Front {
    BARE("nothing", null, "", ""),
    HEADGATE("Headgate, in process", null, "memory", "2000000000/min"),
    BUCKET4J("an interceptor over Bucket4j, in process", Bucket4jInterceptor.class, "", ""),
    HEADGATE_REFUSING("Headgate, refusing", null, "memory", "1/day"),
    HEADGATE_REDIS("Headgate, over Redis", null, "redis", "2000000000/min"),
    TUTORIAL_REDIS("an interceptor with INCR and EXPIRE, over Redis", TutorialInterceptor.class, "", "");

    final String label;
    final @Nullable Class<? extends Peer> interceptor;

    private final String store;
    private final String limit;

    Front(String label, @Nullable Class<? extends Peer> interceptor, String store, String limit) {
        this.label = label;
        this.interceptor = interceptor;
        this.store = store;
        this.limit = limit;
    }

    /** What the answer to every request but the first is. */
    int status() {
        return this == HEADGATE_REFUSING ? 429 : 200;
    }

    List<String> settings() {
        return limit.isEmpty()
                ? List.of("--headgate.enabled=false")
                : List.of(
                        "--headgate.store=" + store,
                        "--headgate.rules[0].name=api",
                        "--headgate.rules[0].path=/api/**",
                        "--headgate.rules[0].subject=ip",
                        "--headgate.rules[0].limits=" + limit);
    }
}
