package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;

/** The operations on objects that a principal may use. */
public enum AccessMode {
    /** Put, get, list and delete objects. */
    READ_WRITE,
    /** Get and list objects. */
    READ_ONLY,
    /** Put objects, but not get, list or delete them. */
    WRITE_ONLY,
    /** No access, and no principal. For callers that create a bucket first and grant access later, as COSI does. */
    NONE;

    /**
     * Parses the spellings in classes and claims: {@code rw}, {@code ro}, {@code wo}, {@code none},
     * {@code ReadWrite}, {@code read-only}, {@code WRITE_ONLY} and so on.
     *
     * @throws Invalid if the text is none of them
     */
    public static AccessMode parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
            case "rw", "readwrite" -> READ_WRITE;
            case "ro", "readonly" -> READ_ONLY;
            case "wo", "writeonly" -> WRITE_ONLY;
            case "none" -> NONE;
            default ->
                throw new Invalid(
                        "accessMode " + InputText.quote(text) + " must be one of ReadWrite, ReadOnly, WriteOnly");
        };
    }
}
