package io.headgate.guide;

import io.headgate.spring.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

// snippet
@RestController
class Orders {

    @RateLimit("10/min") // each address
    @GetMapping("/orders")
    String list() {
        return "orders";
    }
}
// end
