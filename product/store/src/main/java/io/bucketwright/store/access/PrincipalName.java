package io.bucketwright.store.access;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.regex.Pattern;

/**
 * The name of a user, account or service account in a store.
 *
 * @param text 1 to 64 characters that IAM allows in user names
 */
public record PrincipalName(String text) {

    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9+=,.@_-]{1,64}");

    /**
     * Checks the value.
     *
     * @throws Invalid if the name is not valid
     */
    public PrincipalName {
        if (!SYNTAX.matcher(text).matches()) {
            throw new Invalid("principal name " + InputText.quote(text)
                    + " must be 1 to 64 letters, digits and characters of \"+=,.@_-\"");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
