package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prefix tree of patterns, with one node for each segment.
 *
 * <p>A lookup follows a path along every branch that matches: the literal segment (looked up in a hash table that compares in place,
 * so that no substring is created), globs, any segment, and {@code **}, which is tried at every remaining segment. Without
 * {@code **} a node is visited at one depth only, and below one {@code **} at most once for each segment. A {@code **} below
 * another could be entered many times. But the first entry tries every segment from there on, so a later entry, further right, finds
 * nothing new. Therefore it is entered once, and the cost of a path is its length times the size of the matching branches, whatever
 * an attacker puts into it.
 */
final class Trie {

    private final Node root = new Node();
    private int nodes;
    private boolean empty;

    private Trie() {}

    static Trie of(List<Candidate> candidates) {
        Trie trie = new Trie();
        for (Candidate candidate : candidates) {
            trie.add(candidate);
        }
        trie.empty = candidates.isEmpty();
        trie.root.freeze();
        return trie;
    }

    private void add(Candidate candidate) {
        Node node = root;
        boolean nested = false;
        for (Segment segment : candidate.pattern().segments()) {
            node = node.child(segment);
            if (segment.anyNumber()) {
                if (nested && node.number < 0) {
                    node.number = nodes++;
                }
                nested = true;
            }
        }
        node.add(candidate);
    }

    boolean isEmpty() {
        return empty;
    }

    List<BoundRule> match(String method, String path) {
        if (!path.startsWith("/")) {
            return List.of();
        }
        Lookup lookup = new Lookup(method, path);
        lookup.from(root, Paths.next(path, 0));
        return lookup.boundRules();
    }

    /** The candidates whose patterns match the path, regardless of methods and exclusions. */
    List<Candidate> matching(String path) {
        Lookup lookup = new Lookup(null, path);
        lookup.from(root, Paths.next(path, 0));
        return lookup.candidates();
    }

    /** The lookup of one path; small and short-lived enough that the JIT compiler need not allocate it on the heap. */
    private static final class Lookup {

        private final @Nullable String method;
        private final String path;
        private @Nullable Candidate only;
        private @Nullable List<Candidate> several;
        private @Nullable BitSet entered;

        Lookup(@Nullable String method, String path) {
            this.method = method;
            this.path = path;
        }

        List<BoundRule> boundRules() {
            if (several != null) {
                return Selection.of(several, path);
            }
            return only == null ? List.of() : only.boundRule().alone();
        }

        List<Candidate> candidates() {
            return several != null ? several : only != null ? List.of(only) : List.of();
        }

        void from(Node node, int at) {
            if (at == path.length()) {
                end(node);
            } else {
                int end = Paths.end(path, at);
                int next = Paths.next(path, end);
                Node literal = node.literal(path, at, end);
                if (literal != null) {
                    from(literal, next);
                }
                for (int i = 0; i < node.globs.size(); i++) {
                    Node.Glob glob = node.globs.get(i);
                    if (glob.segment().matches(path, at, end)) {
                        from(glob.node(), next);
                    }
                }
                if (node.any != null) {
                    from(node.any, next);
                }
            }
            if (node.anyNumber != null) {
                anyNumber(node.anyNumber, at);
            }
        }

        private void end(Node node) {
            boolean slash = path.endsWith("/");
            for (Candidate candidate : node.candidates) {
                if (candidate.pattern().endsLike(slash)) {
                    add(candidate);
                }
            }
            if (slash && node.any != null) {
                for (Candidate beyond : node.any.candidates) {
                    if (beyond.pattern().endsWithOptionalStar()) {
                        add(beyond);
                    }
                }
            }
        }

        private void anyNumber(Node node, int from) {
            if (node.number >= 0 && !enter(node.number)) {
                return;
            }
            for (Candidate candidate : node.candidates) {
                add(candidate);
            }
            if (node.leaf) {
                return;
            }
            for (int at = from; ; at = Paths.next(path, Paths.end(path, at))) {
                below(node, at);
                if (at == path.length()) {
                    return;
                }
            }
        }

        private void below(Node node, int at) {
            if (at < path.length()) {
                from(node, at);
            } else if (node.anyNumber != null) {
                anyNumber(node.anyNumber, at);
            }
        }

        private boolean enter(int number) {
            if (entered == null) {
                entered = new BitSet();
            }
            boolean first = !entered.get(number);
            entered.set(number);
            return first;
        }

        private void add(Candidate candidate) {
            if (method != null && !candidate.accepts(method, path)) {
                return;
            }
            if (several != null) {
                several.add(candidate);
            } else if (only == null) {
                only = candidate;
            } else {
                several = new ArrayList<>(4);
                several.add(only);
                several.add(candidate);
            }
        }
    }
}
