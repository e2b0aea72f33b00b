package io.bucketwright.runtime.json;

import org.jspecify.annotations.Nullable;

/**
 * Returns one instance for equal texts. A cache holds very many objects, and most of their texts are the same in all of
 * them, such as names of classes. It has a fixed size and forgets: a text that repeats is soon known again.
 */
public final class SharedTexts {

    private static final int LARGEST = 1 << 12;

    /** Longer texts are hardly ever equal. */
    private static final int LONGEST = 80;

    /** Threads may not see what others wrote last; then a text has two instances for a while. */
    private final @Nullable String[] known;

    /** For the texts of all objects of a process. */
    public SharedTexts() {
        this(LARGEST);
    }

    /**
     * For fewer different texts.
     *
     * @param slots a power of two
     */
    public SharedTexts(int slots) {
        if (Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("The number of slots must be a power of two, not " + slots);
        }
        this.known = new String[slots];
    }

    public String of(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (known.length - 1);
        @Nullable String same = known[slot];
        if (same != null && same.equals(text)) {
            return same;
        }
        known[slot] = text;
        return text;
    }
}
