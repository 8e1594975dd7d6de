package io.headgate.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** Who is limited. Absence is a type of its own, so that no value a client sends can be mistaken for it. */
public sealed interface Subject {

    /** A subject for a custom resolver to return; its kind is derived from the name of the resolver. */
    static Subject of(String value) {
        return of("", value);
    }

    /** The subject of that kind and value; absent if the value is blank. */
    static Subject of(String kind, String value) {
        return value.isBlank() ? absent() : new Present(kind, value);
    }

    static Subject absent() {
        return Absent.NOBODY;
    }

    /**
     * An absent subject that no rule skips: the request named its subject twice with contradicting values. A rule with
     * {@link Rule.Missing#SKIP} denies it too.
     */
    static Subject unclear() {
        return Absent.UNCLEAR;
    }

    /**
     * A subject that was found.
     *
     * @param kind the type of the value, such as {@code ip}, so that an API key that looks like an address is not that address;
     *     contains neither {@code :} nor {@code ;}
     * @param value the value exactly as it was found; never empty
     */
    record Present(String kind, String value) implements Subject {

        /** Longer values are replaced by a digest, so that keys in the store are bounded whatever a client sends. */
        static final int LONGEST = 128;

        public Present {
            Objects.requireNonNull(kind, "kind");
            if (value.isEmpty()) {
                throw new IllegalArgumentException(
                        "the value of a subject must not be empty; use Subject.absent() if there is no subject");
            }
            if (hasSeparator(kind)) {
                throw new IllegalArgumentException("the kind of a subject must not contain ':' or ';': " + kind);
            }
        }

        /** A plain loop, since kinds are short and every request runs it. */
        private static boolean hasSeparator(String kind) {
            for (int i = 0; i < kind.length(); i++) {
                if (kind.charAt(i) == ':' || kind.charAt(i) == ';') {
                    return true;
                }
            }
            return false;
        }

        /** The subject as one string; different subjects have different strings. */
        public String text() {
            return value.length() <= LONGEST ? kind + ':' + value : kind + ';' + digest(value);
        }

        private static String digest(String value) {
            // Raw UTF-16: a charset encoder would map all lone surrogates to one character.
            byte[] bytes = new byte[2 * value.length()];
            for (int i = 0; i < value.length(); i++) {
                bytes[2 * i] = (byte) (value.charAt(i) >> 8);
                bytes[2 * i + 1] = (byte) value.charAt(i);
            }
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e); // every Java platform has SHA-256
            }
        }

        /** Shows only the kind: values are often secrets. */
        @Override
        public String toString() {
            return "Subject[" + kind + "]";
        }
    }

    /** The absent subjects, {@link Subject#absent} and {@link Subject#unclear}. */
    enum Absent implements Subject {
        NOBODY,
        UNCLEAR
    }
}
