package io.bucketwright.runtime.events;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an event reports about an object. Events with equal content are one event that happened repeatedly.
 *
 * @param type {@link #NORMAL} or {@link #WARNING}
 * @param reason one word in CamelCase, for machines
 * @param action what was done or tried, one word in CamelCase
 * @param note a sentence, for people
 */
record EventContent(ObjectReference regarding, String type, String reason, String action, String note) {

    static final String NORMAL = "Normal";
    static final String WARNING = "Warning";

    /** The API server refuses longer ones. */
    private static final int LONGEST_NOTE = 1024;

    private static final int LONGEST_WORD = 128;

    EventContent {
        reason = word(reason, "reason");
        action = word(action, "action");
        note = shorten(note);
        // A map of its own for each of very many references otherwise.
        regarding.setAdditionalProperties(Map.of());
    }

    static EventContent about(HasMetadata object, String type, String reason, String action, String note) {
        return new EventContent(Metadata.reference(object), type, reason, action, note);
    }

    /** The namespace of the event: that of the object, or {@code default} for objects that have no namespace. */
    String namespace() {
        @Nullable String namespace = regarding.getNamespace();
        return namespace == null || namespace.isEmpty() ? "default" : namespace;
    }

    private static String word(String word, String role) {
        if (word.isEmpty() || word.length() > LONGEST_WORD) {
            throw new IllegalArgumentException(
                    "The " + role + " of an event is a word of at most 128 characters, got '" + word + "'");
        }
        return word;
    }

    private static String shorten(String note) {
        String shorter = note;
        while (shorter.getBytes(StandardCharsets.UTF_8).length > LONGEST_NOTE) {
            int keep = Math.min(shorter.length() - 1, LONGEST_NOTE);
            // Not in the middle of a surrogate pair.
            shorter = shorter.substring(0, Character.isHighSurrogate(shorter.charAt(keep - 1)) ? keep - 1 : keep);
        }
        return shorter;
    }
}
