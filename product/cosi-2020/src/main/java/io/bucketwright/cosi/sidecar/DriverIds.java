package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ids by which a driver finds bucket and accounts, as the annotations of the Secret record them beside the credentials.
 * Each is empty if the name is the id.
 *
 * @param account of the account whose credentials the Secret contains
 * @param previousAccount of the account before the last rotation
 */
record DriverIds(String bucket, String account, String previousAccount) {

    static final DriverIds NONE = new DriverIds("", "", "");

    static DriverIds of(Secret secret) {
        return new DriverIds(
                Metadata.annotation(secret, CosiNames.BUCKET_ID),
                Metadata.annotation(secret, CosiNames.ACCOUNT_ID),
                Metadata.annotation(secret, CosiNames.PREVIOUS_ACCOUNT_ID));
    }

    DriverIds withPreviousAccount(String id) {
        return new DriverIds(bucket, account, id);
    }

    /** The annotations of a new Secret. */
    Map<String, String> annotations() {
        Map<String, String> annotations = new HashMap<>();
        put(annotations, CosiNames.BUCKET_ID, bucket);
        put(annotations, CosiNames.ACCOUNT_ID, account);
        put(annotations, CosiNames.PREVIOUS_ACCOUNT_ID, previousAccount);
        return annotations;
    }

    /** The same for a Secret that has these ids by now: null removes an annotation. */
    Map<String, @Nullable String> changes(DriverIds former) {
        Map<String, @Nullable String> changes = new HashMap<>();
        former.annotations().keySet().forEach(key -> changes.put(key, null));
        changes.putAll(annotations());
        return changes;
    }

    private static void put(Map<String, String> annotations, String key, String value) {
        if (!value.isEmpty()) {
            annotations.put(key, value);
        }
    }
}
