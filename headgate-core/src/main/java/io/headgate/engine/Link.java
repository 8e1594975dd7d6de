package io.headgate.engine;

/**
 * A link of a ring, which is a list whose elements are removed without a search: thousands of callers may leave at once. The ring of
 * an empty list is one link that stands for both its ends.
 */
class Link {

    private Link before = this;
    private Link after = this;

    /** The previous element, or the last one if this stands for the ends of the list. */
    final Link before() {
        return before;
    }

    /** The next element, or the first one if this stands for the ends of the list. */
    final Link after() {
        return after;
    }

    /** Whether there are other links in the ring. */
    final boolean linked() {
        return after != this;
    }

    final void insertAfter(Link place) {
        before = place;
        after = place.after;
        before.after = this;
        after.before = this;
    }

    /** Leaves the ring; false if this is in none. */
    final boolean unlink() {
        boolean linked = linked();
        before.after = after;
        after.before = before;
        before = this;
        after = this;
        return linked;
    }
}
