package io.bucketwright.store.gcs;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Credentials;
import java.util.List;
import java.util.function.Predicate;

/** The keys of a service account, of one kind. */
sealed interface PrincipalKeys permits HmacKeys, AccountKeys {

    /**
     * The ids of all keys. The unwanted ones give no access from now on, if the store can disable keys: to delete them can
     * fail for minutes.
     */
    List<String> list(StoreCall call, String email, Predicate<String> unwanted);

    Credentials create(StoreCall call, String email);

    /** Deletes a key that {@link #list} disabled. Succeeds if it no longer exists. */
    void delete(StoreCall call, String email, String id);

    /** Enables or disables all keys, if the store can do that without the service account. */
    void setActive(StoreCall call, String email, boolean active);
}
