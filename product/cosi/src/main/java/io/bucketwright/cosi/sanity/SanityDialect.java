package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The protocol that a driver is called with. Requests are those of {@code cosi.v1}, which can say more than the other
 * protocol; a dialect sends what its protocol can express. A check declares what it needs, so that it is not run where a
 * part of its request would be missing.
 */
public sealed interface SanityDialect permits CosiV1Dialect, ReleasedDialect {

    /** The gRPC package. */
    String name();

    Set<CheckNeed> provides();

    /**
     * Asks the driver who it is.
     *
     * @throws StatusRuntimeException if the call fails; with UNIMPLEMENTED if the driver does not speak this dialect
     */
    DriverIdentity info(boolean waitForReady);

    RpcResult<CreatedTestBucket> create(CreateBucketRequest request);

    RpcResult<NoContent> delete(DeleteBucketRequest request);

    RpcResult<GrantAnswer> grant(GrantBucketAccessRequest request);

    RpcResult<RevokeAnswer> revoke(RevokeBucketAccessRequest request);

    /**
     * What a driver reports of itself.
     *
     * @param protocol unspecified if it reports none
     */
    record DriverIdentity(String name, DataProtocol protocol) {}

    /**
     * The answer to the creation of a bucket.
     *
     * @param problem what the answer lacks; an empty text if nothing
     * @param data connection data, if the protocol has it
     * @param response as it was sent
     */
    record CreatedTestBucket(Supplier<String> problem, Map<String, String> data, Object response) {
        public CreatedTestBucket {
            data = Map.copyOf(data);
        }
    }

    /** The answer to a deletion. */
    record NoContent() {}

    /** The answer to a grant. */
    interface GrantAnswer {

        /**
         * The credentials in it.
         *
         * @throws CheckFailed if it contains none, or in another field
         */
        GrantedCredentials credentials();
    }

    /**
     * The answer to a revocation.
     *
     * @param credentials how many it contains
     */
    record RevokeAnswer(int credentials) {}
}
