package io.headgate.load;

import io.headgate.demo.Demo;
import io.headgate.rig.Processes;
import io.headgate.rig.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;

/**
 * Users who send requests without a pause to two instances of the demo that share a Redis. The instances must allow exactly the
 * limits, and clients and servers must count the same.
 */
final class Sustained {

    private static final int INSTANCES = 2;
    private static final int USERS = 32;
    private static final int SECONDS = 20;
    private static final int ADDRESSES = 10;
    private static final int LIMIT = 50;
    private static final String PORT = "listens on ";
    private static final Pattern COUNT = Pattern.compile("\"statistic\":\"COUNT\",\"value\":([0-9.E]+)");

    private Sustained() {}

    /** One instance, in a process of its own. */
    static final class Instance {

        private Instance() {}

        public static void main(String[] numberAndSettings) {
            List<String> settings = List.of(numberAndSettings).subList(1, numberAndSettings.length);
            var context = SpringApplication.run(Demo.class, settings.toArray(String[]::new));
            System.out.println(PORT + context.getEnvironment().getProperty("local.server.port"));
        }
    }

    static Outcome run() throws IOException, InterruptedException {
        try (RedisServer redis = RedisServer.start();
                Processes instances = Processes.fork(
                        INSTANCES,
                        Instance.class,
                        "--server.port=0",
                        "--spring.data.redis.url=" + redis.uri(),
                        "--headgate.store=redis",
                        "--headgate.instances=" + INSTANCES,
                        "--headgate.trusted-proxies=127.0.0.1",
                        "--headgate.guard.deadline=5s",
                        "--headgate.redis.timeout=5s",
                        "--headgate.rules[0].name=data",
                        "--headgate.rules[0].path=/api/data",
                        "--headgate.rules[0].limits=" + LIMIT + " per 300day",
                        "--headgate.rules[0].algorithm=sliding-window")) {
            instances.awaitLine(PORT, Duration.ofSeconds(90));
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                urls.add(url(instances.lines(i)));
            }
            Totals client = Gatling.run(Map.of(
                    Requests.URLS, String.join(",", urls),
                    Requests.PATH, "/api/data",
                    Requests.USERS, String.valueOf(USERS),
                    Requests.ADDRESSES, String.valueOf(ADDRESSES),
                    Requests.SECONDS, String.valueOf(SECONDS)));
            return judged(client, urls);
        }
    }

    private static String url(List<String> lines) {
        String line =
                lines.stream().filter(each -> each.startsWith(PORT)).findFirst().orElseThrow();
        return "http://localhost:" + line.substring(PORT.length());
    }

    private static Outcome judged(Totals client, List<String> urls) throws IOException, InterruptedException {
        long allowed = 0;
        long denied = 0;
        List<String> shares = new ArrayList<>();
        for (String url : urls) {
            long allowedHere = decisions(url, "allowed");
            long deniedHere = decisions(url, "denied");
            allowed += allowedHere;
            denied += deniedHere;
            shares.add(String.valueOf(allowedHere + deniedHere));
        }
        List<String> misses = new ArrayList<>();
        Accuracy.require(misses, client.other() == 0, client.other() + " answers were neither 200 nor 429");
        Accuracy.require(
                misses,
                client.allowed() == granted(client.requests()),
                granted(client.requests()) + " were to be allowed");
        Accuracy.require(
                misses,
                client.allowed() == allowed && client.denied() == denied,
                "the servers allowed " + allowed + " and denied " + denied);
        return new Outcome(
                "sustained, " + USERS + " users, two instances on Redis",
                client,
                client.requests() / SECONDS + "/s, by instances " + String.join(" + ", shares),
                misses);
    }

    /** How many of the requests must be allowed, given that the addresses take turns. */
    private static long granted(long requests) {
        long granted = 0;
        for (int address = 0; address < ADDRESSES; address++) {
            long asked = requests / ADDRESSES + (address < requests % ADDRESSES ? 1 : 0);
            granted += Math.min(LIMIT, asked);
        }
        return granted;
    }

    private static long decisions(String url, String outcome) throws IOException, InterruptedException {
        URI uri = URI.create(url + "/actuator/metrics/headgate.decisions?tag=rule:data&tag=outcome:" + outcome);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build();
        String body = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher count = COUNT.matcher(body);
        return count.find() ? (long) Double.parseDouble(count.group(1)) : 0;
    }
}
