package io.headgate.guide;

import io.headgate.spring.RateLimit;
import org.springframework.stereotype.Service;

// snippet
@Service
class Reports {

    @RateLimit(value = "5/min", key = "#user", fallback = "later")
    public String create(String user) {
        return "the report of " + user;
    }

    public String later(String user) {
        return "not yet";
    }
}
// end
