package io.headgate.http.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A place in a {@link Trie}: what the patterns that got here say of the next segment. */
final class Node {

    /** The patterns that end here. */
    final List<Candidate> candidates = new ArrayList<>(1);

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

    private @Nullable String[] words = {};
    private @Nullable Node[] children = {};

    record Glob(Segment segment, Node node) {}

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
            return literals.computeIfAbsent(segment.glob(), missing -> new Node());
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

    /** Makes the table; nothing is added afterwards. */
    void freeze() {
        leaf = literals.isEmpty() && globs.isEmpty() && any == null && anyNumber == null;
        if (!literals.isEmpty()) {
            int size = Integer.highestOneBit(literals.size()) * 4;
            words = new String[size];
            children = new Node[size];
            literals.forEach((word, node) -> {
                int slot = slot(word, 0, word.length(), size);
                while (words[slot] != null) {
                    slot = (slot + 1) & (size - 1);
                }
                words[slot] = word;
                children[slot] = node;
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
        int size = words.length;
        if (size == 0) {
            return null;
        }
        int slot = slot(path, from, to, size);
        for (String word = words[slot]; word != null; word = words[slot]) {
            if (word.length() == to - from && path.startsWith(word, from)) {
                return children[slot];
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
        return (hash ^ (hash >>> 16)) & (size - 1);
    }
}
