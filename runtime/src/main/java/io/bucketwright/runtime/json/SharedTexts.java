package io.bucketwright.runtime.json;

import org.jspecify.annotations.Nullable;

/**
 * Returns one instance for equal texts. A cache holds very many objects, and most of their texts are the same in all of
 * them, such as names of classes. It has a fixed size and forgets: a text that repeats is soon known again.
 */
public final class SharedTexts {

    private static final int SLOTS = 1 << 12;

    /** Longer texts are hardly ever equal. */
    private static final int LONGEST = 80;

    /** Threads may not see what others wrote last; then a text has two instances for a while. */
    private final @Nullable String[] known = new String[SLOTS];

    public String of(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        @Nullable String same = known[slot];
        if (same != null && same.equals(text)) {
            return same;
        }
        known[slot] = text;
        return text;
    }
}
