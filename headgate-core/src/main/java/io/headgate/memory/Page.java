package io.headgate.memory;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The cells of a {@link KeyTable} whose hashes begin with the same bits.
 *
 * <p>Reads need no lock. Keys are added, replaced and removed under the monitor of the page, after a look at {@link #replaced}: a
 * replaced page never changes again, and the pages that replaced it hold all its cells.
 */
@SuppressWarnings("serial") // a map only to save an indirection per lookup
final class Page extends ConcurrentHashMap<String, Cell> {

    /** How many bits the hashes have in common. */
    final int depth;

    /** The smallest hash that belongs here. */
    final long first;

    /** Whether other pages have taken the place of this one. */
    boolean replaced;

    /** The largest number of cells so far, which the map is still sized for. */
    int most;

    Page(int depth, long first, int expected) {
        super(expected);
        this.depth = depth;
        this.first = first;
    }

    /** The smallest hash that belongs to the next page. */
    long end() {
        return first + (1L << (32 - depth));
    }

    /** The first hash of the page that this one would be merged with. */
    long buddy() {
        return first ^ (1L << (32 - depth));
    }

    /** Called after cells were added. */
    void grown() {
        most = Math.max(most, size());
    }

    /** Whether the map is sized for far more cells than it has. */
    boolean sparse() {
        return most >= 64 && size() <= most / 8;
    }
}
