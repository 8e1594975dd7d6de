package io.headgate.spring.boot.source;

import io.headgate.TimeSource;
import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The rules of an origin that is polled while the application runs. While the origin cannot be read, the last rules stay in force. The
 * first failed read and the first successful read after it are logged.
 */
public final class PolledRules implements RuleSource, SmartLifecycle {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final String where;
    private final RuleOrigin origin;
    private final TimeSource time;
    private final long intervalMicros;
    private final List<Runnable> told = new CopyOnWriteArrayList<>();
    private volatile RuleEdition edition;
    private final Object reading = new Object();
    private boolean away; // guarded by reading

    /** The timer of the next poll or of the running one; {@code null} when stopped. Neither start nor stop waits for the origin. */
    private @Nullable CompletableFuture<Void> next;

    /**
     * Reads the rules for the first time.
     *
     * @param where the origin, for messages
     * @throws IOException or SQLException if the origin cannot be read, since there are no earlier rules to keep
     */
    public PolledRules(String where, RuleOrigin origin, TimeSource time, Duration interval)
            throws IOException, SQLException {
        this.where = where;
        this.origin = origin;
        this.time = time;
        this.intervalMicros = interval.toNanos() / 1_000;
        this.edition = origin.read(null);
    }

    public String where() {
        return where;
    }

    @Override
    public List<Rule> rules() {
        return edition.rules().get();
    }

    @Override
    public void onChange(Runnable changed) {
        told.add(changed);
    }

    private void poll() {
        synchronized (reading) {
            look();
        }
    }

    /** Reads the origin and notifies the listeners if the rules have changed. */
    private void look() {
        RuleEdition known = edition;
        try {
            edition = origin.read(known);
        } catch (IOException | SQLException | RuntimeException e) {
            if (!away) {
                LOG.warn("the last good rules stay in force: " + where + " cannot be read: " + e);
            }
            away = true;
            return;
        }
        if (away) {
            LOG.info("the rules can be read again: " + where);
        }
        away = false;
        if (!edition.equals(known)) {
            told.forEach(Runnable::run);
        }
    }

    @Override
    public synchronized void start() {
        if (next == null) {
            pollLater();
        }
    }

    private void pollLater() {
        CompletableFuture<Void> alarm = time.after(intervalMicros);
        next = alarm;
        alarm.thenRun(() -> {
            try {
                poll();
            } finally {
                goOn(alarm);
            }
        });
    }

    private synchronized void goOn(CompletableFuture<Void> done) {
        if (next == done) { // otherwise it was stopped in the meantime
            pollLater();
        }
    }

    @Override
    public synchronized void stop() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return next != null;
    }

    @Override
    public String toString() {
        return "PolledRules[" + where + "]";
    }
}
