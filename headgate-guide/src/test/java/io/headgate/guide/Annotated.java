package io.headgate.guide;

import io.headgate.spring.RateLimit;
import java.util.List;

/** Every form of the annotation on one method, which is allowed. */
class Annotated {

    // snippet
    @RateLimit("10/min") // on a handler: each address; elsewhere: everybody together
    @RateLimit(limit = 10, window = "60s", algorithm = "sliding-window", key = "#userId")
    @RateLimit(value = "1000/h", key = "#tenant", cost = "#items.size()", fallback = "later")
    @RateLimit(rule = "api") // the limits and the budget of an existing rule
    @RateLimit("${shop.limits:10/min}") // from the properties of the application
    // end
    public String order(String userId, String tenant, List<String> items) {
        return "ordered";
    }

    public String later(String userId, String tenant, List<String> items) {
        return "later";
    }
}
