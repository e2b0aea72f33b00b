package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.wire.Operation;

/** What the sidecar asks of a driver for an object. */
public enum DriverMethod {
    CREATE_BUCKET("CreateBucket", Operation.CREATE, "FailedCreateBucket"),
    DELETE_BUCKET("DeleteBucket", Operation.DELETE, "FailedDeleteBucket"),
    GRANT_ACCESS("GrantBucketAccess", Operation.GRANT, "FailedGrantAccess"),
    REVOKE_ACCESS("RevokeBucketAccess", Operation.REVOKE, "FailedRevokeAccess");

    private final String wireName;
    private final Operation operation;
    private final String eventReason;

    DriverMethod(String wireName, Operation operation, String eventReason) {
        this.wireName = wireName;
        this.operation = operation;
        this.eventReason = eventReason;
    }

    /** As the service calls it. */
    public String wireName() {
        return wireName;
    }

    public Operation operation() {
        return operation;
    }

    /** The reason of the event when it fails. */
    public String eventReason() {
        return eventReason;
    }

    /** Whether it takes something away: then nobody edits the object any more. */
    public boolean undoes() {
        return this == DELETE_BUCKET || this == REVOKE_ACCESS;
    }
}
