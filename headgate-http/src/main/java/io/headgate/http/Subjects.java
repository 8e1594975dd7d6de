package io.headgate.http;

import java.util.List;

/** What the words of a rule about subjects mean. */
public interface Subjects {

    /**
     * The resolver of what a rule says of its subject: the first of these that is present, each one word such as {@code ip} or
     * several that count together, {@code principal + route}.
     *
     * @param missing what becomes of a request that has none of them; with {@link Rule.Missing#FALL_BACK} the resolver always
     *     finds somebody
     * @throws IllegalArgumentException saying which words there are
     */
    SubjectResolver resolver(List<String> words, Rule.Missing missing);

    /**
     * Somebody without a request: the very subject that one of theirs would have.
     *
     * @param word one word as rules write it, or a kind of subject
     * @param value who it is
     * @throws IllegalArgumentException if nobody is called so; without the value, which may be a secret
     */
    default Subject.Present named(String word, String value) {
        return new Subject.Present(word, value);
    }

    /**
     * Whether a request can be found to be somebody of that kind by a rule with these words; otherwise the rule keeps no budget
     * of theirs.
     */
    default boolean finds(Subject.Present somebody, List<String> words, Rule.Missing missing) {
        return true;
    }

    /**
     * Those who are never limited: addresses and blocks of them, or values of the subject. By its value a subject can be told
     * only in a rule with one word: otherwise somebody could send as a header what was meant to be a user.
     *
     * @param words what the rule says of its subject
     * @throws IllegalArgumentException if an entry is no address and cannot be a subject
     */
    Bypass bypass(List<String> entries, List<String> words);

    /** Whether requests may be asked for their users to find these; where that takes time, it is not done in vain. */
    default boolean needPrincipal(List<String> words) {
        return true;
    }

    /** Whether a client can make up as many of these subjects as it likes. */
    boolean madeUpAtWill(List<String> words);
}
