package io.headgate.spring.cloud.gateway;

import java.util.Arrays;
import java.util.List;

/** What a route says about its filter {@code RateLimit}, as it is written. The gateways fill it in. */
public class RateLimitArguments {

    /** The order of the arguments in the short form. */
    static final List<String> SHORT_FORM = List.of("limit", "subject", "name");

    static final List<String> ALL = List.of("limit", "subject", "name", "cost");

    private String limit = "";
    private String subject = "";
    private String name = "";
    private long cost = 1;

    /** Limits separated by commas, or the name of a rule. */
    public String getLimit() {
        return limit;
    }

    public RateLimitArguments setLimit(String limit) {
        this.limit = limit.trim();
        return this;
    }

    /** Subjects as rules write them, separated by commas; {@code ip} if empty. */
    public String getSubject() {
        return subject;
    }

    public RateLimitArguments setSubject(String subject) {
        this.subject = subject.trim();
        return this;
    }

    /** The name of a budget that routes share; if empty, the route has its own. */
    public String getName() {
        return name;
    }

    public RateLimitArguments setName(String name) {
        this.name = name.trim();
        return this;
    }

    /** How many permits a request takes. */
    public long getCost() {
        return cost;
    }

    public RateLimitArguments setCost(long cost) {
        this.cost = cost;
        return this;
    }

    static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::trim).toList();
    }

    @Override
    public String toString() {
        return "RateLimit=" + limit + (subject.isEmpty() ? "" : ", " + subject) + (name.isEmpty() ? "" : ", " + name);
    }
}
