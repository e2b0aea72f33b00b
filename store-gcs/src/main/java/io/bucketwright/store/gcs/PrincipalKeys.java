package io.bucketwright.store.gcs;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Credentials;
import java.util.List;

/** The keys of a service account, of one kind. */
sealed interface PrincipalKeys permits HmacKeys, AccountKeys {

    List<String> list(StoreCall call, String email);

    Credentials create(StoreCall call, String email);

    /** Deletes a key. Succeeds if it no longer exists. */
    void delete(StoreCall call, String email, String id);

    /** Enables or disables all keys, if the store can do that without the service account. */
    void setActive(StoreCall call, String email, boolean active);
}
