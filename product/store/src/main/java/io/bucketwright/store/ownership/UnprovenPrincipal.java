package io.bucketwright.store.ownership;

import io.bucketwright.store.errors.StoreException.Denied;
import java.util.Set;

/** A principal with the name of an owner's, which does not name that owner: somebody changed it, or created it. */
public final class UnprovenPrincipal {

    private UnprovenPrincipal() {}

    /**
     * The error of a deletion that left the principal alone.
     *
     * @param principal its kind and name
     * @param deletedKeys ids of the keys of it that were deleted; empty if none are known
     */
    public static Denied notDeleted(String principal, Set<String> deletedKeys) {
        return new Denied(
                "The " + principal + " is not deleted: somebody changed it in the store, and it no longer names"
                        + " its owner. "
                        + (deletedKeys.isEmpty()
                                ? "Its keys still work, because their ids are not known here."
                                : "The keys that are recorded for its claim are deleted; it may have others.")
                        + " An administrator deletes it in the store, and the controller continues.");
    }
}
