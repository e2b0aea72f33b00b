package io.bucketwright.store;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;

/** What to do if a bucket that is to be deleted is not empty. */
public enum OnNotEmpty {
    /** Delete nothing and report it. */
    BLOCK,
    /** Delete all objects, versions and incomplete uploads. */
    PURGE;

    /**
     * Parses the class parameter.
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
