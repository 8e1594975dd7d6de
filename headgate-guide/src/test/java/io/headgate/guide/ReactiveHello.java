package io.headgate.guide;

// snippet
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
public class ReactiveHello {

    @GetMapping("/api/hello")
    public Mono<String> hello() {
        return Mono.just("hello");
    }
}
// end
