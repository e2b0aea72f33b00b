package io.bucketwright.store.observation;

import io.bucketwright.store.errors.StoreException;
import java.util.Locale;

/** How a call to a store ended. */
public enum StoreResult {
    OK,
    /** The caller cancelled it, for example because the claim was deleted. */
    CANCELLED,
    INVALID,
    DENIED,
    TAKEN,
    NOT_FOUND,
    NOT_EMPTY,
    UNAVAILABLE,
    UNSUPPORTED,
    /** An exception that no store may throw. */
    UNEXPECTED;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

    static StoreResult of(StoreException error) {
        return switch (error) {
            case StoreException.Invalid _ -> INVALID;
            case StoreException.Denied _ -> DENIED;
            case StoreException.Taken _ -> TAKEN;
            case StoreException.NotFound _ -> NOT_FOUND;
            case StoreException.NotEmpty _ -> NOT_EMPTY;
            case StoreException.Unavailable _ -> UNAVAILABLE;
            case StoreException.Unsupported _ -> UNSUPPORTED;
        };
    }

    /** As in metrics: in lower case, words joined by a hyphen. */
    public String text() {
        return text;
    }
}
