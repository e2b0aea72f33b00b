package io.bucketwright.cosi.sidecar.driver;


import io.bucketwright.cosi.sidecar.accesses.IssuedCredentials;

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
public record Recollection(
        Optional<JsonPatch> connection,
        Optional<IssuedCredentials> credentials,
        Optional<Failure> failure,
        boolean undone,
        boolean looked) {

    public static Recollection none() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
    }

    public Recollection withConnection(JsonPatch fields) {
        return new Recollection(Optional.of(fields), credentials, Optional.empty(), undone, looked);
    }

    public Recollection withCredentials(IssuedCredentials answer) {
        return new Recollection(connection, Optional.of(answer), Optional.empty(), undone, looked);
    }

    /** What was on its way has arrived. */
    public Recollection delivered() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), undone, looked);
    }

    public Recollection withFailure(Failure newFailure) {
        return new Recollection(connection, credentials, Optional.of(newFailure), undone, looked);
    }

    public Recollection withUndone() {
        return new Recollection(Optional.empty(), Optional.empty(), Optional.empty(), true, looked);
    }

    public Recollection withLooked() {
        return new Recollection(connection, credentials, failure, undone, true);
    }
}
