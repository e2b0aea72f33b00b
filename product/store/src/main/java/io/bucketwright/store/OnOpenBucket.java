package io.bucketwright.store;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Locale;

/** What to do if a bucket that is to be adopted is open: if its policy or ACL gives others access. */
public enum OnOpenBucket {
    /** Change nothing and report it. */
    REFUSE,
    /** Remove everything that opens the bucket. */
    CLOSE;

    /**
     * Parses the class parameter.
     *
     * @throws Invalid if it is neither {@code refuse} nor {@code close}
     */
    public static OnOpenBucket parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "refuse" -> REFUSE;
            case "close" -> CLOSE;
            default -> throw new Invalid("onOpenBucket " + InputText.quote(text) + " must be refuse or close");
        };
    }
}
