package io.headgate.load;

import io.headgate.Plan;
import io.headgate.load.Recorder.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Checks that every decision for concurrent users on one key, over several windows, is the one that the algorithm makes. */
final class Accuracy {

    private static final int USERS = 8;
    private static final int SECONDS = 8;
    private static final int SHOWN = 3;

    private Accuracy() {}

    @EnableAutoConfiguration
    @RestController
    static class Application {

        @GetMapping("/hot")
        String hot() {
            return "hot";
        }

        @Bean
        Recorder store() {
            return new Recorder();
        }
    }

    static Outcome run(String algorithm) throws Exception {
        try (var context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .run(
                        "--server.port=0",
                        "--spring.config.location=optional:classpath:/none/",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--spring.data.redis.repositories.enabled=false",
                        "--headgate.rules[0].name=hot",
                        "--headgate.rules[0].path=/hot",
                        "--headgate.rules[0].subject=global",
                        "--headgate.rules[0].limits=10/s",
                        "--headgate.rules[0].algorithm=" + algorithm)) {
            Totals client = Gatling.run(Map.of(
                    Requests.URLS,
                    "http://localhost:" + context.getEnvironment().getProperty("local.server.port"),
                    Requests.PATH,
                    "/hot",
                    Requests.USERS,
                    String.valueOf(USERS),
                    Requests.SECONDS,
                    String.valueOf(SECONDS)));
            return judged(algorithm, client, context.getBean(Recorder.class).seen());
        }
    }

    private static Outcome judged(String algorithm, Totals client, List<Seen> seen) {
        if (seen.isEmpty()) {
            return new Outcome(algorithm, client, "", List.of("no request reached the store"));
        }
        Plan plan = seen.get(0).plan();
        Replay replay = new Replay(plan, seen);
        long allowed = seen.stream().filter(Seen::allowed).count();
        List<String> misses = new ArrayList<>();
        require(misses, client.other() == 0, client.other() + " answers were neither 200 nor 429");
        require(
                misses,
                client.allowed() == allowed && client.denied() == seen.size() - allowed,
                "the server allowed " + allowed + " of " + seen.size());
        List<String> differences = replay.differences();
        require(
                misses,
                differences.isEmpty(),
                differences.size() + " decisions differ from the reference, such as "
                        + differences.stream().limit(SHOWN).toList());
        int most = replay.mostInAWindow();
        require(misses, most <= replay.bound(), most + " within a window");
        return new Outcome(algorithm, client, most + " of " + replay.bound() + " in any second", misses);
    }

    static void require(List<String> misses, boolean met, String otherwise) {
        if (!met) {
            misses.add(otherwise);
        }
    }
}
