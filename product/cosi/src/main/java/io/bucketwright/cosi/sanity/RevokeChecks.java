package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;
import static io.bucketwright.cosi.wire.CosiError.REVOKE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.REVOKE_INVALID_PRINCIPAL;

import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.List;

/** Checks of RevokeBucketAccess. */
final class RevokeChecks {

    private static final String REVOKING = "Revoking access that was granted";

    private RevokeChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check("revoke-access", "RevokeBucketAccess succeeds and returns no credentials", client -> {
                    TestAccess access = client.newGrantedAccess();
                    require(
                            client.revoke(access).require(REVOKING).credentials() == 0,
                            "The response contains credentials.");
                }),
                check("revoke-repeat", "RevokeBucketAccess is idempotent", client -> {
                    TestAccess access = client.newGrantedAccess();
                    client.revoke(access).requireEnded(REVOKING);
                    client.revoke(access).requireEnded("Revoking it again");
                }),
                check(
                        CheckNeed.NAMES_AS_IDS,
                        "revoke-missing-account",
                        "RevokeBucketAccess succeeds for an account that never existed",
                        client -> client.revoke(client.newCreatedBucket(), client.newAccount(), _ -> {})
                                .requireEnded("Revoking access that was never granted")),
                check("revoke-missing-bucket", "RevokeBucketAccess succeeds for a deleted bucket", client -> {
                    TestAccess access = client.newGrantedAccess();
                    client.deleteCompletely(access.bucket()).requireEnded("Deleting the bucket");
                    client.revoke(access).requireEnded("Revoking access to a deleted bucket");
                }),
                check("revoke-then-grant", "GrantBucketAccess works again after RevokeBucketAccess", client -> {
                    TestAccess access = client.newGrantedAccess();
                    client.revoke(access).requireEnded(REVOKING);
                    require(
                            !client.granted(access.bucket(), access.account()).sameAs(access.credentials()),
                            "The credentials are the revoked ones.");
                }),
                check(
                        "revoke-empty-name",
                        "RevokeBucketAccess rejects an empty bucket name",
                        client -> client.revoke(client.newBucket().named(""), client.newAccount(), _ -> {})
                                .requireRefused("An empty bucket_name", REVOKE_INVALID_ARGUMENT)),
                check(
                        "revoke-no-account",
                        "RevokeBucketAccess rejects a request without account",
                        client -> client.revoke(
                                        client.newCreatedBucket(),
                                        "",
                                        request -> request.removePermissions(ParameterKeys.ACCOUNT))
                                .requireRefused(
                                        "A request without " + ParameterKeys.ACCOUNT,
                                        REVOKE_INVALID_ARGUMENT,
                                        REVOKE_INVALID_PRINCIPAL)),
                check(
                        CheckNeed.PROTOCOLS,
                        "revoke-other-protocol",
                        "RevokeBucketAccess rejects a protocol that is not the driver's",
                        client -> client.revoke(
                                        client.newCreatedBucket(),
                                        client.newAccount(),
                                        request -> request.setRequestProtocol(client.otherProtocol()))
                                .requireRefused("request_protocol " + client.otherProtocol(), REVOKE_INVALID_ARGUMENT)),
                check("revoke-concurrent", "Concurrent RevokeBucketAccess calls succeed", client -> {
                    TestAccess access = client.newGrantedAccess();
                    client.concurrently(() -> client.revoke(access))
                            .forEach(result -> result.requireEnded("One of several concurrent revocations"));
                }));
    }
}
