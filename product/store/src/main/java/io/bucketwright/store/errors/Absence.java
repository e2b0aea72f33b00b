package io.bucketwright.store.errors;

import io.bucketwright.store.errors.StoreException.NotFound;
import java.util.Optional;
import java.util.function.Supplier;

/** What a store concludes from {@link NotFound} when that is no error. */
public final class Absence {

    private Absence() {}

    /** The result of a request; empty if what it requests does not exist. */
    public static <T> Optional<T> toEmpty(Supplier<T> request) {
        try {
            return Optional.of(request.get());
        } catch (NotFound absent) {
            return Optional.empty();
        }
    }

    /** Sends a request to delete something. Succeeds if it no longer exists. */
    public static void ignore(Runnable deletion) {
        try {
            deletion.run();
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }
}
