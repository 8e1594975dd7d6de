package io.headgate.memory;

import io.headgate.TimeSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one scope by subject: a hash table whose size follows the number of its keys, up and down, in steps so small that no
 * request pays for much of it.
 *
 * <p>This is extendible hashing (Fagin, Nievergelt, Pippenger and Strong, 1979). The first bits of a key's hash select a
 * {@link Page} in the directory. A page with too many cells is split into two; two halves with few cells become one page again.
 * The directory doubles when a page needs one more bit, and halves when no page does. It is replaced as a whole, so a lookup reads
 * one array without a lock. Whoever reads a page that is being replaced still finds every cell that was there; it misses a key that
 * is added meanwhile, as if it had come a moment earlier. Before anything is added, the page is looked up again under its monitor.
 *
 * <p>Pages are maps that stay fast when clients make up keys with equal hashes. A secret number in the hash keeps clients from
 * choosing the page of a key; a page of keys with equal hashes is not split in vain.
 */
final class KeyTable extends Cells<String> {

    /** A page with more cells is split. */
    static final int FULL = 768;

    /** Two halves with no more cells than this become one page. */
    private static final int FEW = FULL / 4;

    private final KeyCapacity capacity;
    private final int secret = ThreadLocalRandom.current().nextInt();
    private volatile Page[] directory = {new Page(0, 0, 1)};

    /** Whether the scope has been dropped, and with it this table. */
    private volatile boolean closed;

    /** The page that the walk is in; guarded by the {@link Sweep}. */
    private @Nullable Page walked;

    KeyTable(TimeSource time, KeyCapacity capacity) {
        super(time);
        this.capacity = capacity;
    }

    @Override
    @Nullable
    Cell get(String subject) {
        return page(subject).get(subject);
    }

    private Page page(String subject) {
        return page(hash(subject));
    }

    private Page page(long hash) {
        Page[] pages = directory;
        return pages[index(pages, hash)];
    }

    private static int index(Page[] pages, long hash) {
        return (int) ((hash * pages.length) >>> 32);
    }

    /** A hash of 32 bits, of which the first are as good as the last. */
    private long hash(String subject) {
        return Integer.toUnsignedLong((subject.hashCode() ^ secret) * 0x9E3779B9);
    }

    /** Adds what the function returns, unless the key has a cell. Nothing else happens to the key meanwhile. */
    void addIfAbsent(String subject, Function<String, @Nullable Cell> create) {
        while (!closed) {
            Page page = page(subject);
            synchronized (page) {
                if (!page.replaced) {
                    page.computeIfAbsent(subject, create);
                    page.grown();
                    if (worthSplitting(page)) {
                        split(page);
                    }
                    return;
                }
            }
        }
    }

    @Override
    void replace(String subject, Cell ended, Cell successor) {
        while (!closed) {
            Page page = page(subject);
            synchronized (page) {
                if (!page.replaced) {
                    page.replace(subject, ended, successor);
                    return;
                }
            }
        }
    }

    @Override
    void remove(String subject, Cell ended) {
        while (!closed) {
            Page page = page(subject);
            synchronized (page) {
                if (!page.replaced) {
                    if (page.remove(subject, ended)) {
                        capacity.giveBack();
                    }
                    return;
                }
            }
        }
    }

    /** Keys with equal hashes can neither be split nor make the directory grow without bound. */
    private boolean worthSplitting(Page page) {
        int size = page.size();
        return size > FULL && size <= 2 * FULL && (long) FULL << page.depth <= 8L * capacity.taken();
    }

    private void split(Page page) {
        Page low = new Page(page.depth + 1, page.first, page.size() / 2);
        Page high = new Page(page.depth + 1, low.end(), page.size() / 2);
        page.forEach((subject, cell) -> (hash(subject) < high.first ? low : high).put(subject, cell));
        install(low, high);
        page.replaced = true;
    }

    /** Makes the page smaller if its map is sized for far more cells than are left, alone or with its other half. */
    private void shrink(Page page) {
        Page merged = page;
        while (merged != null && merged.depth > 0) {
            merged = mergeWithBuddy(merged);
        }
        synchronized (page) {
            if (!page.replaced && page.sparse()) {
                Page small = new Page(page.depth, page.first, page.size());
                small.putAll(page);
                install(small);
                page.replaced = true;
            }
        }
    }

    private @Nullable Page mergeWithBuddy(Page page) {
        Page buddy = page(page.buddy());
        if (buddy.depth != page.depth || page.size() + buddy.size() > FEW) {
            return null;
        }
        Page low = page.first < buddy.first ? page : buddy;
        Page high = page.first < buddy.first ? buddy : page;
        synchronized (low) {
            synchronized (high) {
                if (low.replaced || high.replaced || low.size() + high.size() > FEW) {
                    return null;
                }
                Page merged = new Page(low.depth - 1, low.first, low.size() + high.size());
                merged.putAll(low);
                merged.putAll(high);
                install(merged);
                low.replaced = true;
                high.replaced = true;
                return merged;
            }
        }
    }

    /** Puts pages into the directory. Afterwards the caller marks those whose place they take as replaced. */
    private synchronized void install(Page... pages) {
        Page[] next = directory.clone();
        if (1 << pages[0].depth > next.length) {
            next = doubled(next);
        }
        for (Page page : pages) {
            page.grown();
            Arrays.fill(next, index(next, page.first), index(next, page.end()), page);
        }
        while (canHalve(next)) {
            next = halved(next);
        }
        directory = next;
    }

    private static Page[] doubled(Page[] pages) {
        Page[] next = new Page[2 * pages.length];
        Arrays.setAll(next, i -> pages[i / 2]);
        return next;
    }

    private static Page[] halved(Page[] pages) {
        Page[] next = new Page[pages.length / 2];
        Arrays.setAll(next, i -> pages[2 * i]);
        return next;
    }

    private static boolean canHalve(Page[] pages) {
        for (int i = 0; i < pages.length; i += 2) {
            if (pages.length == 1 || pages[i].first != pages[i + 1].first) {
                return false;
            }
        }
        return true;
    }

    /** Walks page after page. If the page has been replaced since the walk entered it, its cells are those that were there then. */
    @Override
    @Nullable
    Iterator<Map.Entry<String, Cell>> nextPart() {
        Page left = walked;
        if (left != null) {
            shrink(left);
        }
        long position = left == null ? 0 : left.end();
        walked = position < 1L << 32 ? page(position) : null;
        return walked == null ? null : walked.entrySet().iterator();
    }

    /** Closes the table for ever if it is empty, as is what must be empty with it. */
    boolean closeIfEmpty(Overflow overflow) {
        Page page = directory[0];
        synchronized (page) {
            if (!page.replaced && page.depth == 0 && page.isEmpty() && overflow.isEmpty()) {
                closed = true;
                page.replaced = true;
            }
        }
        return closed;
    }

    boolean closed() {
        return closed;
    }

    boolean isEmpty() {
        Page[] pages = directory;
        return pages.length == 1 && pages[0].isEmpty();
    }

    /** How many keys have a cell. */
    int size() {
        return Arrays.stream(directory).distinct().mapToInt(Page::size).sum();
    }

    /** The places in the directory, and the number of cells that the pages are sized for. */
    int extent() {
        Page[] pages = directory;
        return pages.length
                + Arrays.stream(pages).distinct().mapToInt(page -> page.most).sum();
    }
}
