package io.headgate.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** Who is limited, or nobody: absence is a type, so nothing a client sends can be mistaken for it. */
public sealed interface Subject {

    /** Somebody whose kind the resolver's name says. */
    static Subject of(String value) {
        return of("", value);
    }

    /** Somebody; nobody if the value is blank. */
    static Subject of(String kind, String value) {
        return value.isBlank() ? absent() : new Present(kind, value);
    }

    static Subject absent() {
        return Absent.NOBODY;
    }

    /** Nobody either, but no reason to let a request pass: it named somebody in two ways that contradict each other. */
    static Subject unclear() {
        return Absent.UNCLEAR;
    }

    /**
     * Somebody.
     *
     * @param kind what the value is, such as {@code ip}: an API key that spells an address is not that address. Has neither
     *     {@code :} nor {@code ;}
     * @param value who it is, exactly as it was found; never empty
     */
    record Present(String kind, String value) implements Subject {

        /** Longer values are digested, so that a store keeps a bounded key whatever a client sends. */
        static final int LONGEST = 128;

        public Present {
            Objects.requireNonNull(kind, "kind");
            if (value.isEmpty()) {
                throw new IllegalArgumentException("a subject must not be empty; nobody is Subject.absent()");
            }
            if (hasSeparator(kind)) {
                throw new IllegalArgumentException("a kind of subject must not contain ':' or ';': " + kind);
            }
        }

        /** Letter by letter, since kinds are short and this is done for every request. */
        private static boolean hasSeparator(String kind) {
            for (int i = 0; i < kind.length(); i++) {
                if (kind.charAt(i) == ':' || kind.charAt(i) == ';') {
                    return true;
                }
            }
            return false;
        }

        /** This subject in one string; no two subjects have the same. */
        public String text() {
            return value.length() <= LONGEST ? kind + ':' + value : kind + ';' + digest(value);
        }

        private static String digest(String value) {
            byte[] bytes = new byte[2 * value.length()]; // as it is: an encoding makes all lone surrogates one
            for (int i = 0; i < value.length(); i++) {
                bytes[2 * i] = (byte) (value.charAt(i) >> 8);
                bytes[2 * i + 1] = (byte) value.charAt(i);
            }
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e); // every Java platform has it
            }
        }

        /** Only the kind: values are secrets as often as not. */
        @Override
        public String toString() {
            return "Subject[" + kind + "]";
        }
    }

    /** Nobody. */
    enum Absent implements Subject {
        NOBODY,
        UNCLEAR
    }
}
