package io.bucketwright.buckets.claims;

import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ProvisionedBucket;
import java.util.Map;
import java.util.Optional;

/**
 * What belongs into the Secret and is not there yet. It is nowhere but here: if this is lost, it is asked for again.
 *
 * @param made by the store; empty if it was saved from a Secret that somebody deleted
 * @param options the digest of the options it was asked with
 */
record Handed(Optional<ProvisionedBucket> made, ConnectionData handover, String options) {

    /** The digest of each value of the Secret. */
    Map<String, String> secretDigests() {
        return Digest.ofEach(Digest.base64(handover.secret()));
    }

    String keyId() {
        return made.flatMap(answer -> answer.credentials().keyId()).orElse("");
    }

    Optional<Connection> connection() {
        return made.map(ProvisionedBucket::connection);
    }
}
