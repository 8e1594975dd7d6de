package io.headgate.guide;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

// snippet
@RestController
class ReactiveHello {

    @GetMapping("/api/hello")
    Mono<String> hello() {
        return Mono.just("hello");
    }
}
// end
