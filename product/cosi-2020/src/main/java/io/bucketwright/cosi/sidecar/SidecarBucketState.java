package io.bucketwright.cosi.sidecar;

import io.bucketwright.runtime.client.JsonPatch;
import java.util.Optional;

/**
 * The driver's last answer about a Bucket. It is lost with the process; then the call is repeated.
 *
 * @param connection the connection data of the created bucket
 * @param answer what else the driver has answered
 */
record SidecarBucketState(Optional<JsonPatch> connection, Answer answer) {

    enum Answer {
        NONE,
        /** The bucket is deleted. */
        DELETED,
        /** The bucket does not belong to this cluster. */
        ELSEWHERE,
        /** Nobody but the owner and accounts has access to the bucket. */
        CLOSED,
        /** Anonymous clients have the access that the Bucket requests. */
        OPENED
    }

    static final SidecarBucketState NONE = of(Answer.NONE);

    static SidecarBucketState of(Answer answer) {
        return new SidecarBucketState(Optional.empty(), answer);
    }

    static SidecarBucketState created(JsonPatch connection) {
        return new SidecarBucketState(Optional.of(connection), Answer.NONE);
    }
}
