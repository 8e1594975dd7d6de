package io.headgate.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Gatling simulation, run in a JVM of its own: a number of users send requests without a pause, from a few addresses in turn.
 * Writes the totals of the responses to a file.
 */
public final class Requests extends Simulation {

    static final String URLS = "headgate.load.urls";
    static final String PATH = "headgate.load.path";
    static final String USERS = "headgate.load.users";
    static final String ADDRESSES = "headgate.load.addresses";
    static final String SECONDS = "headgate.load.seconds";
    static final String TOTALS = "headgate.load.totals";

    private final List<Totals.Answer> answers = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sent = new AtomicLong();

    public Requests() {
        Duration time = Duration.ofSeconds(Integer.getInteger(SECONDS, 5));
        List<String> urls = Arrays.asList(System.getProperty(URLS, "").split(",", -1));
        setUp(scenario("requests")
                        .exec(during(time, false).on(request()))
                        .injectOpen(atOnceUsers(Integer.getInteger(USERS, 1))))
                .protocols(http.baseUrls(urls).shareConnections());
    }

    private ChainBuilder request() {
        int addresses = Integer.getInteger(ADDRESSES, 1);
        return exec(session -> session.set("address", "203.0.113." + (1 + sent.getAndIncrement() % addresses))
                        .removeAll("status", "millis"))
                .exec(http("request")
                        .get(System.getProperty(PATH, "/"))
                        .header("X-Forwarded-For", "#{address}")
                        .check(
                                status().in(200, 429).saveAs("status"),
                                responseTimeInMillis().saveAs("millis")))
                .exec(session -> {
                    if (session.contains("status")) {
                        answers.add(new Totals.Answer(session.getInt("status"), session.getInt("millis")));
                    }
                    return session;
                });
    }

    @Override
    public void after() {
        try {
            Totals.of(List.copyOf(answers), sent.get()).write(Path.of(System.getProperty(TOTALS, "totals")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
