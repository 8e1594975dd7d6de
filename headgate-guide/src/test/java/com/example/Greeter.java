// snippet
package com.example;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.RateLimiter;

public class Greeter {

    private final RateLimiter limiter = Headgate.limiter("10/min");

    public String greet(String user) {
        Decision decision = limiter.tryAcquire(user);
        if (decision instanceof Decision.Allowed allowed) {
            return "hello, " + allowed.remaining() + " left";
        }
        if (decision instanceof Decision.Denied denied) {
            return "not now; in " + denied.retryAfter();
        }
        return "not ever, or the store failed";
    }
}
// end
