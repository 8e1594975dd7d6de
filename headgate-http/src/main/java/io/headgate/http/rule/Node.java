package io.headgate.http.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a {@link Trie}: its children are what patterns with the same beginning have as their next segment. */
final class Node {

    /** The patterns that end here. */
    Candidate[] candidates = {};

    final List<Glob> globs = new ArrayList<>(0);

    /** The number of a {@code **} node below another {@code **}, which a lookup must enter only once; -1 for any other node. */
    int number = -1;

    @Nullable
    Node any;

    @Nullable
    Node anyNumber;

    /** Whether the node has no children. */
    boolean leaf;

    /** The children for literal segments while the trie is built; {@link #freeze} copies them into the {@link #table}. */
    private final Map<String, Node> literals = new LinkedHashMap<>();

    /**
     * A hash table of the literal children. There is no second array for the words, which the children hold: with ten thousand rules
     * every memory access counts.
     */
    private @Nullable Node[] table = {};

    private String word = "";

    record Glob(Segment segment, Node node) {}

    private static Node literal(String word) {
        Node node = new Node();
        node.word = word;
        return node;
    }

    /** The child for that segment, created if necessary. */
    Node child(Segment segment) {
        if (segment.anyNumber()) {
            anyNumber = anyNumber != null ? anyNumber : new Node();
            return anyNumber;
        }
        if (segment.any()) {
            any = any != null ? any : new Node();
            return any;
        }
        if (segment.literal()) {
            return literals.computeIfAbsent(segment.glob(), Node::literal);
        }
        for (Glob glob : globs) {
            if (glob.segment.equals(segment)) {
                return glob.node;
            }
        }
        Glob glob = new Glob(segment, new Node());
        globs.add(glob);
        return glob.node;
    }

    void add(Candidate candidate) {
        candidates = Arrays.copyOf(candidates, candidates.length + 1);
        candidates[candidates.length - 1] = candidate;
    }

    /** Builds the table of this node and of all nodes below it; nothing may be added afterwards. */
    void freeze() {
        leaf = literals.isEmpty() && globs.isEmpty() && any == null && anyNumber == null;
        if (!literals.isEmpty()) {
            int size = Integer.highestOneBit(literals.size()) * 4;
            table = new Node[size];
            literals.values().forEach(node -> {
                int slot = slot(node.word, 0, node.word.length(), size);
                while (table[slot] != null) {
                    slot = (slot + 1) & (size - 1);
                }
                table[slot] = node;
            });
        }
        literals.values().forEach(Node::freeze);
        globs.forEach(glob -> glob.node.freeze());
        if (any != null) {
            any.freeze();
        }
        if (anyNumber != null) {
            anyNumber.freeze();
        }
    }

    /** The child whose word equals that part of the path; {@code null} if there is none. */
    @Nullable
    Node literal(String path, int from, int to) {
        int size = table.length;
        if (size == 0) {
            return null;
        }
        int slot = slot(path, from, to, size);
        for (Node node = table[slot]; node != null; node = table[slot]) {
            if (node.word.length() == to - from && path.startsWith(node.word, from)) {
                return node;
            }
            slot = (slot + 1) & (size - 1);
        }
        return null;
    }

    private static int slot(String text, int from, int to, int size) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        // Words that differ only in a number have adjacent hashes; the golden ratio as a factor spreads them over the
        // upper bits.
        return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(size) + 1);
    }
}
