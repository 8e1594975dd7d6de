// snippet
package com.example;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.headgate.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

@SpringBootTest(
        properties = {
            "headgate.store=memory",
            "headgate.rules[0].name=api",
            "headgate.rules[0].path=/api/**",
            "headgate.rules[0].limits=10/min"
        })
class HelloLimitTest {

    @TestConfiguration
    static class Time {

        @Bean
        ManualTime time() {
            return new ManualTime();
        }
    }

    @Autowired
    ManualTime time;

    @Autowired
    WebApplicationContext application;

    MockMvc client;

    @BeforeEach
    void startWithFullBudgets() {
        time.advance(Duration.ofDays(1));
        client = MockMvcBuilders.webAppContextSetup(application).build();
    }

    @Test
    void deniesTheEleventhForSixSeconds() throws Exception {
        for (int i = 0; i < 10; i++) {
            client.perform(get("/api/hello")).andExpect(status().isOk());
        }

        client.perform(get("/api/hello"))
                .andExpect(status().isTooManyRequests())
                .andExpect(header().string("Retry-After", "6"));

        time.advance(Duration.ofSeconds(6));
        client.perform(get("/api/hello")).andExpect(status().isOk());
    }

    @Test
    void reportsWhatRemains() throws Exception {
        client.perform(get("/api/hello")).andExpect(header().string("X-RateLimit-Remaining", "9"));
    }
}
// end
