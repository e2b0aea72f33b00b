package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.store.connection.SecretValue;
import java.util.List;
import java.util.Map;

/** What a driver of v1alpha2 is asked to do for objects of v1alpha2, and its answers. Texts are those of the kinds. */
public interface V1alpha2Orders {

    /**
     * A bucket to create or to find.
     *
     * @param existingId by which the driver finds a bucket that existed before; empty to create one
     * @param protocols that it must serve; empty if the driver decides
     */
    record Provision(String name, String existingId, List<String> protocols, Map<String, String> parameters)
            implements V1alpha2Orders {}

    /** A bucket to delete. */
    record Deletion(String bucketId, Map<String, String> parameters) implements V1alpha2Orders {}

    /**
     * An access to grant or to revoke.
     *
     * @param account its name to grant it, the id that the driver issued to revoke it
     * @param modes of access by the ids of buckets, in the order of the request
     */
    record Access(
            String account,
            String protocol,
            String authenticationType,
            String serviceAccount,
            Map<String, String> parameters,
            Map<String, String> modes)
            implements V1alpha2Orders {}

    /**
     * A bucket that exists.
     *
     * @param info how to connect to it, under the keys of Secrets
     */
    record ReadyBucket(String id, List<String> protocols, Map<String, String> info) implements V1alpha2Orders {}

    /**
     * An access that is granted.
     *
     * @param info how to connect to each bucket, by its id, under the keys of Secrets
     * @param credentials under the keys of Secrets; empty for a service account
     */
    record IssuedAccess(String accountId, Map<String, Map<String, String>> info, Map<String, SecretValue> credentials)
            implements V1alpha2Orders {}
}
