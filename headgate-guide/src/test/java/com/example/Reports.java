// snippet
package com.example;

import io.headgate.spring.RateLimit;
import org.springframework.stereotype.Service;

@Service
public class Reports {

    @RateLimit(value = "5/min", key = "#user", fallback = "later")
    public String create(String user) {
        return "the report of " + user;
    }

    public String later(String user) {
        return "not yet";
    }
}
// end
