package io.headgate.http.subject;

import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.List;
import java.util.Locale;

/**
 * Resolves the value of a header to a subject. If the header is sent twice with different values, the subject is unclear: the
 * application may read either value, and the other one could be made up.
 */
final class HeaderSubject implements SubjectResolver {

    private static final String BEARER = "Bearer ";

    private final String name;
    private final String kind;
    private final boolean bearer;

    private HeaderSubject(String name, String kind, boolean bearer) {
        this.name = name;
        this.kind = kind;
        this.bearer = bearer;
    }

    static HeaderSubject plain(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("subject 'header:" + name
                    + "' does not name a valid header; write header:NAME, such as header:X-Tenant");
        }
        return new HeaderSubject(name, "header/" + name.toLowerCase(Locale.ROOT), false);
    }

    static HeaderSubject bearer() {
        return new HeaderSubject("Authorization", "bearer", true);
    }

    @Override
    public Subject resolve(RequestView request) {
        List<String> values = request.headers(name);
        if (values.isEmpty()) {
            return Subject.absent();
        }
        String value = values.get(0);
        for (int i = 1; i < values.size(); i++) {
            if (!values.get(i).equals(value)) {
                return Subject.unclear();
            }
        }
        if (!bearer) {
            return of(value);
        }
        return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? of(value.substring(BEARER.length()))
                : Subject.absent();
    }

    /** A single header, since contradicting ones are {@linkplain Subject#unclear unclear}. */
    @Override
    public String needs() {
        return "a single " + name + " header" + (bearer ? " with a bearer token" : "");
    }

    /** The subject with that header value. */
    Subject of(String value) {
        return Subject.of(kind, value.strip());
    }

    /** Whether the text is a header name, which is a token of RFC 9110. */
    static boolean isName(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0));
    }
}
