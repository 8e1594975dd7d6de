package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Patterns that share their beginnings, one node for each segment.
 *
 * <p>A path is followed along every branch it fits: the letters of its segment (a hash table that compares in place, so
 * that nothing is cut out of the path), globs, any segment, and {@code **}, which is tried at every segment that is
 * left. Without {@code **} a node is met at one depth only, and below one {@code **} at most once for each segment. A {@code **}
 * below another could be entered again and again, but whatever can be found by entering it later has been found by entering
 * it first, because it tries every segment from there. So it is entered once, and a path costs its length times the size of
 * the branches it fits, whatever an attacker puts into it.
 */
final class Trie {

    private final Node root = new Node();
    private int nodes;

    private Trie() {}

    static Trie of(List<Candidate> candidates) {
        Trie trie = new Trie();
        for (Candidate candidate : candidates) {
            trie.add(candidate);
        }
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

    List<Checkpoint> match(String method, String path) {
        if (!path.startsWith("/")) {
            return List.of();
        }
        Walk walk = new Walk(method, path);
        walk.from(root, Paths.next(path, 0));
        return walk.checkpoints();
    }

    /** The candidates whose patterns match, whatever the method and whatever they exclude. */
    List<Candidate> matching(String path) {
        Walk walk = new Walk(null, path);
        walk.from(root, Paths.next(path, 0));
        return walk.candidates();
    }

    /** One path on its way; small enough, and so short-lived, that it need not be on the heap. */
    private static final class Walk {

        private final @Nullable String method;
        private final String path;
        private @Nullable Candidate only;
        private @Nullable List<Candidate> several;
        private @Nullable BitSet entered;

        Walk(@Nullable String method, String path) {
            this.method = method;
            this.path = path;
        }

        List<Checkpoint> checkpoints() {
            if (several != null) {
                return new Selection(path, several).checkpoints();
            }
            return only == null ? List.of() : only.checkpoint().alone();
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
