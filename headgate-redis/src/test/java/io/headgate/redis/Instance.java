package io.headgate.redis;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.guard.GuardSettings;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.rig.Processes;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One of several processes behind which a Redis fails: a gate, traffic of every kind, and what became of it. */
final class Instance {

    private static final int THREADS = 4;
    private static final long PAUSE_NANOS = 2_000_000;

    /** Longer than any check may take, on any machine: what is not answered by then hangs. */
    static final Duration HANG = Duration.ofSeconds(5);

    private static final List<Rule> RULES = List.of(
            rule("login", "/login", FailurePolicy.CLOSED)
                    .limits("5/s", "200/min")
                    .algorithm("sliding-window-log")
                    .build(),
            rule("api", "/api/**", FailurePolicy.LOCAL)
                    .subject("api-key")
                    .limits("20/s burst 5")
                    .build(),
            rule("search", "/search/**", FailurePolicy.OPEN)
                    .limits("5/s")
                    .algorithm("fixed-window")
                    .build(),
            rule("ceiling", "/**", FailurePolicy.LOCAL)
                    .match(Rule.Match.ALL)
                    .limits("1000/s")
                    .algorithm("sliding-window")
                    .build());

    private final RuleSet rules;
    private final Gate gate = new Gate();
    private final StandardAnswers answers = new StandardAnswers(TimeSource.system());
    private final LongAdder passed = new LongAdder();
    private final LongAdder denied = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder hangs = new LongAdder();
    private final LongAdder degraded = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    /** What became of the traffic: requests by their answer, those decided without Redis, and the heap after the first third. */
    record Report(
            long passed,
            long denied,
            long unavailable,
            long errors,
            long hangs,
            long degraded,
            long longestNanos,
            long heapAtFirst,
            long heapAtLast) {

        private static final String BEGINNING = "report ";

        long checks() {
            return passed + denied + unavailable + errors + hangs;
        }

        static Report parse(List<String> lines) {
            String line = lines.stream()
                    .filter(each -> each.startsWith(BEGINNING))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no report in " + lines));
            String[] words = line.substring(BEGINNING.length()).split(" ", -1);
            long[] n = new long[words.length];
            for (int i = 0; i < n.length; i++) {
                n[i] = Long.parseLong(words[i]);
            }
            return new Report(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
        }

        String line() {
            return BEGINNING + passed + " " + denied + " " + unavailable + " " + errors + " " + hangs + " " + degraded
                    + " " + longestNanos + " " + heapAtFirst + " " + heapAtLast;
        }
    }

    private Instance(RuleSet rules) {
        this.rules = rules;
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = Integer.parseInt(arguments[2]);
        try (RedisStore store =
                RedisStore.builder(RedisURI.create(arguments[1])).build()) {
            Headgate headgate = Headgate.builder()
                    .store(store)
                    .guard(GuardSettings.DEFAULT.instances(2))
                    .build();
            RuleSet rules = new RuleCompiler(
                            StandardSubjects.builder().build(),
                            LedgerFactory.of(headgate),
                            TimeSource.system(),
                            Map.of(),
                            Map.of())
                    .compile(RULES);
            Instance instance = new Instance(rules);
            System.out.println("ready");
            Processes.awaitWord();
            System.out.println(instance.run(seconds).line());
        }
        System.exit(0);
    }

    private static Rule.Builder rule(String name, String path, FailurePolicy policy) {
        return Rule.named(name).paths(path).onStoreFailure(policy);
    }

    private Report run(int seconds) throws Exception {
        long start = System.nanoTime();
        long third = start + TimeUnit.SECONDS.toNanos(seconds) / 3;
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        ask(third);
        long heapAtFirst = usedHeap();
        ask(end);
        return new Report(
                passed.sum(),
                denied.sum(),
                unavailable.sum(),
                errors.sum(),
                hangs.sum(),
                degraded.sum(),
                longestNanos.get(),
                heapAtFirst,
                usedHeap());
    }

    private void ask(long untilNanos) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(thread);
            running.add(pool.submit(() -> {
                while (System.nanoTime() < untilNanos) {
                    long from = System.nanoTime();
                    ask(request(random), random.nextBoolean());
                    longestNanos.accumulate(System.nanoTime() - from);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        pool.shutdown();
    }

    /** What a server would answer; whatever is thrown would be a 500. */
    private void ask(RequestView request, boolean async) {
        try {
            List<BoundRule> matched = rules.match(Rule.Stage.HANDLER, request);
            Verdict verdict = async
                    ? gate.checkAsync(request, matched).get(HANG.toMillis(), TimeUnit.MILLISECONDS)
                    : gate.check(request, matched);
            int status = verdict.allowed() ? 200 : answers.status(verdict);
            (status == 200 ? passed : status == 429 ? denied : status == 503 ? unavailable : errors).increment();
            if (verdict.checks().stream().anyMatch(each -> each.decision().degraded())) {
                degraded.increment();
            }
        } catch (TimeoutException e) {
            hangs.increment();
        } catch (Exception | Error e) {
            e.printStackTrace();
            errors.increment();
        }
    }

    private static Request request(Random random) {
        String path = List.of("/login", "/api/orders", "/search/all", "/").get(random.nextInt(4));
        return new Request(path, "192.0.2." + random.nextInt(3), "key " + random.nextInt(20));
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** A request without a server. */
    private record Request(String path, String peerAddress, String apiKey) implements RequestView {

        @Override
        public String method() {
            return "POST";
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase("X-API-Key") ? List.of(apiKey) : List.of();
        }

        @Override
        public @Nullable String principal() {
            return null;
        }

        @Override
        public @Nullable String route() {
            return null;
        }
    }
}
