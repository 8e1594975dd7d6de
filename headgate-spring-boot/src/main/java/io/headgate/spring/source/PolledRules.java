package io.headgate.spring.source;

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
 * The rules of an origin that is looked at from time to time while the application runs. When it cannot be read the last ones
 * stay, which is logged when it begins and when it is over.
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

    /** The alarm of the next look, or the one that is being followed now. Nobody waits for an origin to start or stop this. */
    private @Nullable CompletableFuture<Void> next;

    /**
     * Rules that are there now.
     *
     * @param where the origin, for messages
     * @throws IOException or SQLException if they cannot be read: there are no last ones yet
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

    /** Looks whether the rules are others now. */
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
        if (next == done) { // else it was stopped meanwhile
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
