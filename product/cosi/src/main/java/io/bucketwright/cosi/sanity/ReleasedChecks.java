package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.List;
import java.util.Map;

/** Checks of what only the released protocol has. */
final class ReleasedChecks {

    private ReleasedChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check(
                        CheckNeed.RELEASED,
                        "grant-connection",
                        "GrantBucketAccess returns accessKeyID, endpoint and region",
                        client -> {
                            GrantedCredentials credentials =
                                    client.newGrantedAccess().credentials();
                            Map.of(
                                            "BUCKET_ENDPOINT",
                                            "endpoint",
                                            "BUCKET_REGION",
                                            "region",
                                            ReleasedDialect.ACCESS_KEY_ID,
                                            ReleasedDialect.ACCESS_KEY_ID)
                                    .forEach((key, name) -> require(
                                            credentials.protocol() != DataProtocol.S3
                                                    || credentials.value(key).isPresent(),
                                            "The credentials have no " + name
                                                    + ": the application gets an empty text for it."));
                        }),
                check(
                        CheckNeed.RELEASED,
                        "revoke-no-context",
                        "RevokeBucketAccess needs no context: the reference sidecar sends none",
                        client -> {
                            TestAccess access = client.newGrantedAccess();
                            client.revoke(
                                            access.bucket(),
                                            access.account(),
                                            request -> request.clearPermissions()
                                                    .putPermissions(ParameterKeys.ACCOUNT, access.account()))
                                    .requireEnded("Revoking without revoke_access_context");
                        }));
    }
}
