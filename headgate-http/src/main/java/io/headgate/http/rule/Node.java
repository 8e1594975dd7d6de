package io.headgate.http.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a {@link Trie}: what the patterns that got here say of the next segment. */
final class Node {

    /** The patterns that end here. */
    Candidate[] candidates = {};

    final List<Glob> globs = new ArrayList<>(0);

    /** The number of a {@code **} below another one, which a path must enter only once; else -1. */
    int number = -1;

    @Nullable
    Node any;

    @Nullable
    Node anyNumber;

    /** Whether no pattern goes on from here. */
    boolean leaf;

    /** The children with letters of their own: first a map to build with, then a table to look them up in. */
    private final Map<String, Node> literals = new LinkedHashMap<>();

    /** One table and not two, with the letters in the child: among ten thousand rules each step into memory counts. */
    private @Nullable Node[] table = {};

    private String word = "";

    record Glob(Segment segment, Node node) {}

    private static Node literal(String word) {
        Node node = new Node();
        node.word = word;
        return node;
    }

    /** The node for that segment, made if need be. */
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

    /** Makes the table; nothing is added afterwards. */
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

    /** The child whose letters are that part of the path. */
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
        // Words that differ in a number have hashes that lie side by side; this golden multiple spreads them over the
        // upper bits.
        return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(size) + 1);
    }
}
