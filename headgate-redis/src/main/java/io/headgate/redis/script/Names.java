package io.headgate.redis.script;

import io.headgate.Key;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The names of keys in Redis.
 *
 * <p>The two parts of a key are written one after the other, preceded by the length of the first, so that no two keys are written
 * alike. The name is the start of the SHA-256 of these bytes in Base64, or of their HMAC if there is a secret: then nobody who reads
 * the names can test guesses of subjects.
 */
public final class Names {

    public static final String DEFAULT_PREFIX = "rl:";

    /** Base64 is a third shorter than hexadecimal, which makes a difference wherever Redis looks a key up. */
    private static final Base64.Encoder LETTERS = Base64.getUrlEncoder().withoutPadding();

    /** How many bytes of a digest are used: 144 bits tell all keys apart, and Redis hashes and compares a whole name with every command. */
    private static final int DIGEST_BYTES = 18;

    private final byte[] prefix;
    private final boolean readable;
    private final MessageDigest digest;
    private final @Nullable Mac mac;

    /** The last subject and its name: on a cluster, a request asks for the node of a subject and then for its keys. */
    private @Nullable Named last;

    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    private record Named(Key key, byte[] name) {}

    private Names(String prefix, boolean readable, byte @Nullable [] secret) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.readable = readable;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
            if (secret == null) {
                this.mac = null;
            } else {
                this.mac = Mac.getInstance("HmacSHA256");
                this.mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    public static String checkedPrefix(String prefix) {
        if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "a key prefix must not contain braces, which decide where keys of a cluster"
                            + " are kept, but was '" + prefix + "'");
        }
        return prefix;
    }

    public static byte[] checkedSecret(byte[] secret) {
        if (secret.length == 0) {
            throw new IllegalArgumentException("a key secret must not be empty");
        }
        return secret;
    }

    public static Names hashed(String prefix) {
        return new Names(prefix, false, null);
    }

    public static Names keyed(String prefix, byte[] secret) {
        return new Names(prefix, false, secret);
    }

    /**
     * Readable names: {@code rl:login:alice}, with everything but ASCII letters, digits, dots, underscores, dashes and {@code @}
     * escaped.
     */
    public static Names readable(String prefix) {
        return new Names(prefix, true, null);
    }

    /** The name of a subject, which the keys of all its limits contain. */
    public byte[] of(Key key) {
        Named known = last; // whichever thread wrote it
        if (known == null || !known.key.equals(key)) {
            known = new Named(key, named(key));
            last = known;
        }
        return known.name;
    }

    private byte[] named(Key key) {
        if (readable) {
            return (new String(prefix, StandardCharsets.UTF_8) + escaped(key.scope()) + ":" + escaped(key.subject()))
                    .getBytes(StandardCharsets.UTF_8);
        }
        byte[] hash = LETTERS.encode(Arrays.copyOf(hash(written(key)), DIGEST_BYTES));
        byte[] name = Arrays.copyOf(prefix, prefix.length + hash.length);
        System.arraycopy(hash, 0, name, prefix.length, hash.length);
        return name;
    }

    /** The key of a limit: the name of its subject, in braces, puts it into the same slot of a cluster as all others of that subject. */
    static byte[] of(byte[] subject, byte[] limitId) {
        byte[] name = new byte[subject.length + 3 + limitId.length];
        name[0] = '{';
        System.arraycopy(subject, 0, name, 1, subject.length);
        name[subject.length + 1] = '}';
        name[subject.length + 2] = ':';
        System.arraycopy(limitId, 0, name, subject.length + 3, limitId.length);
        return name;
    }

    /** The bytes of a key. They are UTF-16, since UTF-8 encodes all unpaired surrogates alike. */
    private static byte[] written(Key key) {
        int scope = key.scope().length();
        byte[] written = new byte[4 + 2 * (scope + key.subject().length())];
        for (int i = 0; i < 4; i++) {
            written[i] = (byte) (scope >> (24 - 8 * i));
        }
        write(key.scope(), written, 4);
        write(key.subject(), written, 4 + 2 * scope);
        return written;
    }

    private static void write(String text, byte[] to, int at) {
        for (int i = 0; i < text.length(); i++) {
            to[at + 2 * i] = (byte) (text.charAt(i) >> 8);
            to[at + 2 * i + 1] = (byte) text.charAt(i);
        }
    }

    private byte[] hash(byte[] written) {
        try {
            return mac == null
                    ? ((MessageDigest) digest.clone()).digest(written)
                    : ((Mac) mac.clone()).doFinal(written);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the SHA-256 of this Java cannot be cloned", e);
        }
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 128 && (Character.isLetterOrDigit(c) || "._-@".indexOf(c) >= 0)) {
                escaped.append(c);
            } else {
                escaped.append(String.format("%%%04X", (int) c));
            }
        }
        return escaped.toString();
    }
}
