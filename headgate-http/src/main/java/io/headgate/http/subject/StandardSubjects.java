package io.headgate.http.subject;

import io.headgate.Spelling;
import io.headgate.http.Bypass;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the words that rules can use for their subjects.
 *
 * <table>
 * <caption>Words</caption>
 * <tr><td>{@code ip}</td><td>the address of the client; for IPv6 its network</td></tr>
 * <tr><td>{@code header:NAME}, {@code api-key}</td><td>the value of a header, or of {@code X-API-Key}</td></tr>
 * <tr><td>{@code bearer}</td><td>the token of {@code Authorization: Bearer}</td></tr>
 * <tr><td>{@code principal}</td><td>the authenticated user</td></tr>
 * <tr><td>{@code route}</td><td>the method and path template of the handler</td></tr>
 * <tr><td>{@code global}</td><td>everybody together</td></tr>
 * <tr><td>another name</td><td>a custom resolver of that name</td></tr>
 * <tr><td>{@code a + b}</td><td>the combination of both values</td></tr>
 * </table>
 */
public final class StandardSubjects implements Subjects {

    private static final Subject EVERYBODY = Subject.of("global", "*");

    /** The fallback subject of all requests without an address; they share one budget. */
    private static final Subject.Present UNKNOWN = new Subject.Present("unknown", "*");

    private static final Set<String> ALWAYS_THERE = Set.of("ip", "route", "global");

    /** A value that is valid for every word. */
    private static final String ANY_ADDRESS = "192.0.2.1";

    private static final String HEADER = "header:";
    private static final String CUSTOM = "custom/";
    private static final Set<String> BUILT_IN =
            Set.of("ip", "api-key", "bearer", "principal", "route", "global", "header:NAME");

    private final ClientAddress addresses;
    private final SubjectResolver ip;
    private final int v6Prefix;
    private final Map<String, SubjectResolver> custom;

    private StandardSubjects(Builder builder) {
        this.addresses = new ClientAddress(TrustedProxies.of(builder.trustedProxies), builder.forwardedHeader);
        this.custom = Map.copyOf(builder.custom);
        this.v6Prefix = builder.v6Prefix;
        this.ip = request -> optional("ip", addresses.text(request, v6Prefix));
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public SubjectResolver resolver(List<String> words, Rule.Missing missing) {
        if (words.isEmpty() && missing != Rule.Missing.FALL_BACK) {
            throw new IllegalArgumentException("a rule needs a subject, one or several of " + known());
        }
        List<SubjectResolver> choices = new ArrayList<>();
        words.forEach(word -> choices.add(combined(word)));
        if (missing == Rule.Missing.FALL_BACK) {
            choices.add(ip);
            choices.add(request -> UNKNOWN);
        }
        return choices.size() == 1 ? choices.get(0) : new FirstPresent(choices);
    }

    @Override
    public boolean needPrincipal(List<String> words) {
        return anyPart(words, part -> part.equals("principal") || custom.containsKey(part));
    }

    @Override
    public boolean clientControlled(List<String> words) {
        return anyPart(words, StandardSubjects::isHeader);
    }

    private static boolean anyPart(List<String> words, Predicate<String> such) {
        return words.stream().anyMatch(word -> {
            for (String part : word.split("\\+", -1)) {
                if (such.test(part.trim())) {
                    return true;
                }
            }
            return false;
        });
    }

    @Override
    public Bypass bypass(List<String> entries, List<String> words) {
        List<Cidr> blocks = new ArrayList<>();
        Set<String> values = new HashSet<>();
        for (String entry : entries) {
            Cidr block = Cidr.parse(entry);
            if (block == null) {
                if (words.size() != 1 || words.get(0).indexOf('+') >= 0) {
                    throw new IllegalArgumentException("bypass '" + entry
                            + "' is not an address, and other values are allowed only in a rule with one subject, not "
                            + words);
                }
                if (words.get(0).equals("ip") || words.get(0).equals("global")) {
                    throw new IllegalArgumentException("bypass '" + entry
                            + "' is neither an address nor a block of addresses such as 10.0.0.0/8; the subject "
                            + words
                            + " has no other values");
                }
                values.add(entry);
            } else {
                blocks.add(block);
            }
        }
        return new BypassList(addresses, blocks, values);
    }

    /** Whether an entry of a bypass is an address or a block of addresses, and not the value of a subject. */
    public static boolean isAddress(String entry) {
        return Cidr.parse(entry) != null;
    }

    /** Whether an entry is a block of all IPv4 addresses or of all IPv6 addresses, such as {@code 0.0.0.0/0}. */
    public static boolean isEverybody(String entry) {
        Cidr block = Cidr.parse(entry);
        return block != null && block.isEverybody();
    }

    private SubjectResolver combined(String words) {
        String[] parts = words.split("\\+", -1);
        if (parts.length == 1) {
            return one(words.trim());
        }
        List<SubjectResolver> all = new ArrayList<>();
        for (String part : parts) {
            all.add(one(part.trim()));
        }
        return new CombinedSubject(all);
    }

    private SubjectResolver one(String word) {
        SubjectResolver own = custom.get(word);
        if (own != null) {
            return new CustomSubject(CUSTOM + word, own);
        }
        return switch (word) {
            case "ip" -> ip;
            case "api-key" -> HeaderSubject.plain("X-API-Key");
            case "bearer" -> HeaderSubject.bearer();
            case "principal" -> new PrincipalSubject();
            case "route" -> StandardSubjects::route;
            case "global" -> request -> EVERYBODY;
            default -> header(word);
        };
    }

    @Override
    public Subject.Present named(String word, String value) {
        if (called(word.trim(), value) instanceof Subject.Present somebody) {
            return somebody;
        }
        throw new IllegalArgumentException("the value of a subject must not be blank");
    }

    private Subject called(String word, String value) {
        if (custom.containsKey(word)) {
            return Subject.of(CUSTOM + word, value);
        }
        return switch (word) {
            case "ip" -> Subject.of(word, address(value));
            case "api-key" -> HeaderSubject.plain("X-API-Key").of(value);
            case "bearer" -> HeaderSubject.bearer().of(value);
            case "global" -> EVERYBODY;
            case "unknown" -> UNKNOWN;
            case "principal", "route", "together" -> Subject.of(word, value);
            default -> {
                if (word.startsWith("header/") || word.startsWith(CUSTOM)) {
                    yield Subject.of(word, value);
                }
                if (word.indexOf('+') >= 0) {
                    throw new IllegalArgumentException("subject '" + word
                            + "' is a combination; only a single subject such as ip can be named by its value");
                }
                yield header(word).of(value);
            }
        };
    }

    @Override
    public boolean finds(Subject.Present somebody, List<String> words, Rule.Missing missing) {
        String kind = somebody.kind();
        if (words.stream().anyMatch(word -> isKind(kind, word.trim()))) {
            return true;
        }
        return missing == Rule.Missing.FALL_BACK
                && (kind.equals(UNKNOWN.kind())
                        || (kind.equals("ip") && words.stream().noneMatch(StandardSubjects::isAlwaysThere)));
    }

    /** Whether the word resolves to subjects of this kind. False for a combination, whose subjects cannot be named by one value. */
    private boolean isKind(String kind, String word) {
        if (word.indexOf('+') >= 0) {
            return false;
        }
        String own = named(word, ANY_ADDRESS).kind();
        return kind.equals(own) || (custom.containsKey(word) && kind.startsWith(own + "/"));
    }

    /**
     * Whether every request with an address has this subject, so that no later word and no fallback applies. A route is always
     * there, since rules can use it in the handler stage only.
     */
    private static boolean isAlwaysThere(String words) {
        for (String part : words.split("\\+", -1)) {
            if (!ALWAYS_THERE.contains(part.trim())) {
                return false;
            }
        }
        return true;
    }

    /** The text of a single address, or of a network that counts as one client. */
    private String address(String value) {
        Cidr block = Cidr.parse(value);
        if (block == null
                || (value.indexOf('/') >= 0 && block.prefix() != (block.first().v4() ? 128 : v6Prefix))) {
            throw new IllegalArgumentException(
                    "the value of subject 'ip' must be one address such as 203.0.113.7 or 2001:db8::1");
        }
        return block.first().text(v6Prefix);
    }

    private HeaderSubject header(String word) {
        if (!word.startsWith(HEADER)) {
            throw new IllegalArgumentException(
                    "subject '" + word + "' is not known; there are " + known() + Spelling.hint(word, known()));
        }
        return HeaderSubject.plain(word.substring(HEADER.length()));
    }

    private static boolean isHeader(String word) {
        return word.startsWith(HEADER) || word.equals("api-key") || word.equals("bearer");
    }

    static Subject optional(String kind, @Nullable String value) {
        return value == null ? Subject.absent() : Subject.of(kind, value);
    }

    /** Uses neither the raw path nor unknown methods: a client can make up as many of both as it likes. */
    private static Subject route(RequestView request) {
        String route = request.route();
        return route == null ? Subject.absent() : Subject.of("route", method(request.method()) + " " + route);
    }

    /** The method, if it is a known one; {@code HEAD} counts as {@code GET}, as it does in rules. */
    private static String method(String sent) {
        return switch (sent) {
            case "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE" -> sent;
            case "HEAD" -> "GET";
            default -> "other";
        };
    }

    private Set<String> known() {
        Set<String> known = new TreeSet<>(BUILT_IN);
        known.addAll(custom.keySet());
        return known;
    }

    /** Builds the subjects. By default no proxy is trusted, and IPv6 addresses are limited by their /64 network. */
    public static final class Builder {

        private List<String> trustedProxies = List.of();
        private String forwardedHeader = "X-Forwarded-For";
        private int v6Prefix = 64;
        private Map<String, SubjectResolver> custom = Map.of();

        private Builder() {}

        /** The trusted proxies, as addresses or blocks of addresses such as {@code 10.0.0.0/8}. */
        public Builder trustedProxies(List<String> blocks) {
            trustedProxies = List.copyOf(blocks);
            return this;
        }

        /** The header that the trusted proxies append to: {@code X-Forwarded-For}, or {@code Forwarded} of RFC 7239. */
        public Builder forwardedHeader(String name) {
            if (!HeaderSubject.isName(name)) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not a valid header name, such as X-Forwarded-For");
            }
            forwardedHeader = name;
            return this;
        }

        /** How many leading bits of an IPv6 address identify a client: 16 to 128. */
        public Builder v6Prefix(int bits) {
            if (bits < 16 || bits > 128) {
                throw new IllegalArgumentException("an IPv6 prefix must be between 16 and 128 bits, not " + bits);
            }
            v6Prefix = bits;
            return this;
        }

        /**
         * Custom resolvers by the names that rules use for them.
         *
         * @throws IllegalArgumentException if a name is built in, or contains characters that a rule cannot use
         */
        public Builder custom(Map<String, SubjectResolver> resolvers) {
            for (String name : resolvers.keySet()) {
                if (!name.matches("[A-Za-z0-9_.$#-]+")) { // includes bean names such as com.acme.Subjects$Tenant#0
                    throw new IllegalArgumentException(
                            "the name of a subject must consist of letters, digits, '_', '.', '$', '#' and '-', but is '"
                                    + name + "'");
                }
                if (BUILT_IN.contains(name.toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException(
                            "the subject '" + name + "' is built into Headgate; choose another name");
                }
            }
            custom = Map.copyOf(resolvers);
            return this;
        }

        public StandardSubjects build() {
            return new StandardSubjects(this);
        }
    }
}
