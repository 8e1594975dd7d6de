package io.headgate.demo;

import io.headgate.spring.RateLimit;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoints of the demo. Only {@link #user} declares a limit, by annotation; all other limits are configured rules. */
@RestController
@RequestMapping("/api")
class Api {

    @GetMapping("/public")
    Map<String, String> everybody() {
        return says("open to everybody, ten times a minute each");
    }

    @GetMapping("/protected")
    Map<String, String> withKey() {
        return says("for those who have an API key");
    }

    @GetMapping("/status")
    Map<String, String> status() {
        return says("running");
    }

    @GetMapping("/data")
    Map<String, String> data() {
        return says("some data");
    }

    @GetMapping("/expensive-operation")
    Map<String, String> expensive() {
        return says("done, at a steady pace");
    }

    @GetMapping("/user/{id}")
    @RateLimit(value = "5/min", key = "#id", algorithm = "sliding-window", name = "user")
    Map<String, String> user(@PathVariable String id) {
        return says("user " + id);
    }

    @PostMapping("/login")
    Map<String, String> login() {
        return says("wrong password");
    }

    @GetMapping("/health")
    Map<String, String> health() {
        return says("never limited");
    }

    @GetMapping("/metrics")
    Map<String, String> metrics() {
        return says("never limited either");
    }

    private static Map<String, String> says(String message) {
        return Map.of("message", message);
    }
}
