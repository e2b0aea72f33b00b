package io.bucketwright.cosi.sidecar;

import io.bucketwright.runtime.client.JsonPatch;
import java.util.Optional;

/**
 * What only this process knows about an object. Losing it costs a call to the driver, never a bucket.
 *
 * @param connection where the new bucket is, on its way into the Bucket; empty if nothing is on its way
 * @param credentials on their way into the Secret; empty if nothing is on its way
 * @param undone whether the driver has deleted the bucket, or revoked the access
 * @param looked whether a read showed that the Secret is really gone, not merely without its label
 */
record Recollection(
        Optional<JsonPatch> connection,
        Optional<Handed> credentials,
        Optional<Failure> failure,
        boolean undone,
        boolean looked) {

    static Recollection none() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
    }

    Recollection withConnection(JsonPatch fields) {
        return new Recollection(Optional.of(fields), credentials, Optional.empty(), undone, looked);
    }

    Recollection withCredentials(Handed answer) {
        return new Recollection(connection, Optional.of(answer), Optional.empty(), undone, looked);
    }

    /** What was on its way has arrived. */
    Recollection delivered() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), undone, looked);
    }

    Recollection withFailure(Failure newFailure) {
        return new Recollection(connection, credentials, Optional.of(newFailure), undone, looked);
    }

    Recollection withUndone() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), true, looked);
    }

    Recollection withLooked() {
        return new Recollection(connection, credentials, failure, undone, true);
    }
}
