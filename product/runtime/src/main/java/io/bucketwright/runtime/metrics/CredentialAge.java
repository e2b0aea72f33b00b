package io.bucketwright.runtime.metrics;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When credentials were issued, and whether somebody has requested new ones. */
public record CredentialAge(Instant issued, Rotation rotation) {

    /** The rotation that an annotation requests. */
    public enum Rotation {
        NONE,
        SCHEDULED,
        /** Its time has come, and the credentials are still the former ones. */
        OVERDUE,
        /** The annotation is not a time. */
        INVALID;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The age of the credentials that belong to an object.
     *
     * @param now if the object does not tell when it was created
     * @param rotated the time of the last rotation; empty if there was none
     */
    public static CredentialAge of(HasMetadata object, String rotated, Rotation rotation, Instant now) {
        @Nullable String created = object.getMetadata().getCreationTimestamp();
        return new CredentialAge(parse(rotated, parse(created == null ? "" : created, now)), rotation);
    }

    private static Instant parse(String text, Instant otherwise) {
        try {
            return text.isEmpty()
                    ? otherwise
                    : OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeException e) {
            return otherwise;
        }
    }
}
