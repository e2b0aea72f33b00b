package io.bucketwright.store;

import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;

/** What to do when a bucket that is to be deleted holds something. */
public enum OnNotEmpty {
    /** Leave everything as it is, and say so. */
    BLOCK,
    /** Remove all objects, versions and unfinished uploads. */
    PURGE;

    /**
     * Reads the spelling of classes.
     *
     * @throws Invalid if it is neither {@code block} nor {@code purge}
     */
    public static OnNotEmpty parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "block" -> BLOCK;
            case "purge" -> PURGE;
            default -> throw new Invalid("onNotEmpty " + InputText.quote(text) + " must be block or purge");
        };
    }
}
