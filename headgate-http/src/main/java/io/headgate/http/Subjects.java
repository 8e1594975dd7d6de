package io.headgate.http;

import java.util.List;

/** Interprets the words that rules use for their subjects and bypasses. */
public interface Subjects {

    /**
     * The resolver for the subject of a rule: it finds the first of these subjects that the request has. Each is one word such as
     * {@code ip}, or a combination such as {@code principal + route}.
     *
     * @param missing what happens to a request that has none of them; with {@link Rule.Missing#FALL_BACK} the resolver always
     *     finds a subject
     * @throws IllegalArgumentException if a word is unknown; the message lists the known words
     */
    SubjectResolver resolver(List<String> words, Rule.Missing missing);

    /**
     * The subject with that value, without a request: equal to the one that its requests would be resolved to.
     *
     * @param word one word as rules write it, or the kind of a subject
     * @param value the value of the subject
     * @throws IllegalArgumentException if there is no such subject; the message omits the value, which may be a secret
     */
    default Subject.Present named(String word, String value) {
        return new Subject.Present(word, value);
    }

    /**
     * Whether a rule with these words can resolve a request to a subject of that kind. If not, the rule keeps no budget for the
     * subject.
     */
    default boolean finds(Subject.Present somebody, List<String> words, Rule.Missing missing) {
        return true;
    }

    /**
     * The bypass for these entries: addresses, blocks of addresses, or values of the subject. Values are allowed only in a rule
     * whose subject is one word: otherwise a client could send in a header the value that was meant to be a user.
     *
     * @param words the subject of the rule
     * @throws IllegalArgumentException if an entry is neither an address nor a possible value of the subject
     */
    Bypass bypass(List<String> entries, List<String> words);

    /** Whether a resolver of these words may call {@link RequestView#principal}; if not, adapters can skip an expensive lookup. */
    default boolean needPrincipal(List<String> words) {
        return true;
    }

    /** Whether a client can make up as many values of these subjects as it likes. */
    boolean clientControlled(List<String> words);
}
