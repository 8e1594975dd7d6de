package io.headgate.guide;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

// snippet
@RestController
class Hello {

    @GetMapping("/api/hello")
    String hello() {
        return "hello";
    }
}
// end
