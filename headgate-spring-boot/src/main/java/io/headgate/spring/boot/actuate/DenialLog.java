package io.headgate.spring.boot.actuate;

import io.headgate.Decision;
import io.headgate.TimeSource;
import io.headgate.http.DenialListener;
import io.headgate.http.Subject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Logs denials as {@code key=value} pairs to the logger {@value #LOGGER}, at most so many in a second:
 *
 * <pre>{@code
 * outcome=denied rule=api limit="10/min burst 20" algorithm=token-bucket kind=ip subject=9f86d081884c7d65 wait=5.250 suppressed=12
 * }</pre>
 *
 * <p>{@code subject} is the start of an HMAC, {@code wait} is in seconds, and {@code suppressed} says how many denials since the line
 * before were not logged. A subject itself is never logged.
 */
public final class DenialLog implements DenialListener {

    static final String LOGGER = "io.headgate.denials";

    private static final Log LOG = LogFactory.getLog(LOGGER);
    private static final Pattern UNSAFE = Pattern.compile("[^ !#-~]");
    private static final String HMAC = "HmacSHA256";
    private static final int HASH_BYTES = 8;
    private static final long SECOND = 1_000_000;

    private final TimeSource time;
    private final int perSecond;
    private final SecretKeySpec secret;
    private final AtomicLong second = new AtomicLong(-1);
    private final AtomicInteger logged = new AtomicInteger();
    private final LongAdder suppressed = new LongAdder();

    /**
     * Creates the log.
     *
     * @param perSecond the most lines in a second
     * @param secret the key of the hashes; if {@code null}, a random one, with which hashes are comparable within this process only
     */
    public DenialLog(TimeSource time, int perSecond, @Nullable String secret) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("at least 1 line per second must be allowed, not " + perSecond);
        }
        this.time = time;
        this.perSecond = perSecond;
        this.secret = new SecretKeySpec(
                secret == null || secret.isEmpty() ? random() : secret.getBytes(StandardCharsets.UTF_8), HMAC);
    }

    private static byte[] random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    @Override
    public void denied(String rule, Decision decision, boolean enforced, Supplier<Subject.@Nullable Present> who) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        if (hasRoom()) {
            LOG.info(line(rule, decision, enforced, who.get(), suppressed.sumThenReset()));
        } else {
            suppressed.increment();
        }
    }

    /** Whether this second has room for one more line. */
    private boolean hasRoom() {
        long now = Math.floorDiv(time.nowMicros(), SECOND);
        long last = second.get();
        if (now != last && second.compareAndSet(last, now)) {
            logged.set(0);
        }
        return logged.get() < perSecond && logged.incrementAndGet() <= perSecond;
    }

    private String line(
            String rule, Decision decision, boolean enforced, Subject.@Nullable Present who, long unlogged) {
        StringBuilder line = new StringBuilder(160).append("outcome=").append(Outcomes.of(decision, enforced));
        pair(line, "rule", rule);
        pair(line, "limit", decision.limit().text());
        pair(line, "algorithm", decision.limit().algorithm());
        if (who != null) {
            pair(line, "kind", who.kind());
            pair(line, "subject", hash(who.text()));
        }
        if (decision instanceof Decision.Denied denied) {
            pair(line, "wait", String.format(Locale.ROOT, "%.3f", denied.retryAfterMicros() / (double) SECOND));
        }
        pair(line, "suppressed", Long.toString(unlogged));
        return line.toString();
    }

    /** Values with a blank are quoted. Whatever could end a value or a line, such as in the kind of a custom subject, is replaced. */
    private static void pair(StringBuilder line, String key, String value) {
        String quote = value.isEmpty() || value.indexOf(' ') >= 0 ? "\"" : "";
        line.append(' ').append(key).append('=').append(quote);
        line.append(UNSAFE.matcher(value).replaceAll("_")).append(quote);
    }

    private String hash(String subject) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(secret);
            byte[] hash = mac.doFinal(subject.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }
}
