package io.bucketwright.buckets.stores;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.observation.MeasuredStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The store of one class. */
public interface ClassStore {

    /** Equal for classes in which one bucket name means one bucket, whoever the administrator is. */
    Object location();

    /** How applications connect to a bucket; empty if only a call to the store can tell. Sends no request. */
    default Optional<Connection> connection(BucketName bucket) {
        return Optional.empty();
    }

    /**
     * Parameters that the class does not set, with the values that they have because of how the store is reached. A bound
     * bucket keeps them when it is reached in another way. Sends no request.
     */
    default Map<String, String> implied() {
        return Map.of();
    }

    /**
     * Identifies the key of the administrator that credentials would be made of now. Sends no request.
     *
     * @return empty if credentials do not depend on such a key, or if the administrator Secret is not known yet
     */
    default Optional<String> issuer() {
        return Optional.empty();
    }

    /** Whether the content of the administrator Secret is known; also if there is none. Sends no request. */
    default boolean isAdministratorKnown() {
        return true;
    }

    /** Changes with the administrator Secret; empty if there is none, or if it is not known yet. Sends no request. */
    default String administratorVersion() {
        return "";
    }

    /**
     * Opens the store if necessary and keeps it open during the call.
     *
     * @param call gets the store, and the issuer of the credentials that it returns; empty if they have none
     * @throws StoreException if the store cannot be opened, or from the call itself
     */
    <R> R use(BiFunction<MeasuredStore, String, R> call);

    /** Opens the store if necessary and keeps it open during the call. */
    default <R> R use(Function<MeasuredStore, R> call) {
        return use((store, _) -> call.apply(store));
    }
}
