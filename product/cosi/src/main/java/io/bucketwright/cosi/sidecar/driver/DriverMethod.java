package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.status.CosiReason;
import io.bucketwright.cosi.wire.Operation;

/** The calls that the sidecar makes for an object. */
public enum DriverMethod {
    CREATE_BUCKET("CreateBucket", Operation.CREATE, CosiReason.FAILED_CREATE_BUCKET),
    DELETE_BUCKET("DeleteBucket", Operation.DELETE, CosiReason.FAILED_DELETE_BUCKET),
    GRANT_ACCESS("GrantBucketAccess", Operation.GRANT, CosiReason.FAILED_GRANT_ACCESS),
    REVOKE_ACCESS("RevokeBucketAccess", Operation.REVOKE, CosiReason.FAILED_REVOKE_ACCESS);

    private final String rpc;
    private final Operation operation;
    private final String eventReason;

    DriverMethod(String rpc, Operation operation, String eventReason) {
        this.rpc = rpc;
        this.operation = operation;
        this.eventReason = eventReason;
    }

    /** The name of the RPC in the design; the dialect of a driver may call it otherwise. */
    public String rpc() {
        return rpc;
    }

    public Operation operation() {
        return operation;
    }

    /** The reason of the event when the call fails. */
    public String eventReason() {
        return eventReason;
    }

    /** Whether the call removes something: it is repeated until it succeeds. */
    public boolean isRemoval() {
        return this == DELETE_BUCKET || this == REVOKE_ACCESS;
    }
}
