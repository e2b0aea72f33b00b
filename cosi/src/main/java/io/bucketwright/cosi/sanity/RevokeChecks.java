package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.REVOKE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.REVOKE_INVALID_PRINCIPAL;

import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessResponse;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.List;

/** RevokeBucketAccess. */
final class RevokeChecks {

    private RevokeChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck(
                        "revoke-access",
                        "RevokeBucketAccess succeeds and returns no credentials",
                        RevokeChecks::access),
                new SanityCheck("revoke-repeat", "RevokeBucketAccess is idempotent", RevokeChecks::repeat),
                new SanityCheck(
                        "revoke-missing-account",
                        "RevokeBucketAccess succeeds for an account that never existed",
                        RevokeChecks::missingAccount),
                new SanityCheck(
                        "revoke-missing-bucket",
                        "RevokeBucketAccess succeeds for a deleted bucket",
                        RevokeChecks::missingBucket),
                new SanityCheck(
                        "revoke-then-grant",
                        "GrantBucketAccess works again after RevokeBucketAccess",
                        RevokeChecks::again),
                new SanityCheck(
                        "revoke-empty-name",
                        "RevokeBucketAccess rejects an empty bucket name",
                        RevokeChecks::emptyName),
                new SanityCheck(
                        "revoke-no-account",
                        "RevokeBucketAccess rejects a request without account",
                        RevokeChecks::noAccount),
                new SanityCheck(
                        "revoke-other-protocol",
                        "RevokeBucketAccess rejects a protocol that is not the driver's",
                        RevokeChecks::otherProtocol),
                new SanityCheck(
                        "revoke-concurrent", "Concurrent RevokeBucketAccess calls succeed", RevokeChecks::atOnce));
    }

    private static void access(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials _ = GrantChecks.grant(probe, bucket, account);
        RevokeBucketAccessResponse response =
                probe.revoke(request(probe, bucket, account)).require("Revoking access that was granted");
        if (response.getCredsCount() > 0) {
            throw new CheckFailed("The answer holds credentials.");
        }
    }

    private static void repeat(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials _ = GrantChecks.grant(probe, bucket, account);
        probe.revoke(request(probe, bucket, account)).requireEnded("Revoking access that was granted");
        probe.revoke(request(probe, bucket, account)).requireEnded("Revoking it again");
    }

    private static void missingAccount(SanityClient probe) {
        probe.revoke(request(probe, probe.madeBucket(), probe.newAccount()))
                .requireEnded("Revoking access that was never granted");
    }

    private static void missingBucket(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials _ = GrantChecks.grant(probe, bucket, account);
        probe.deleteWholly(probe.requests().delete(bucket).build()).requireEnded("Deleting the bucket");
        probe.revoke(request(probe, bucket, account)).requireEnded("Revoking access to a bucket that is gone");
    }

    private static void again(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials old = GrantChecks.grant(probe, bucket, account);
        probe.revoke(request(probe, bucket, account)).requireEnded("Revoking access that was granted");
        if (GrantChecks.grant(probe, bucket, account).sameAs(old)) {
            throw new CheckFailed("The credentials are the ones that were revoked.");
        }
    }

    private static void emptyName(SanityClient probe) {
        probe.revoke(request(probe, probe.newBucket().named(""), probe.newAccount()))
                .requireRefused("An empty bucket_name", REVOKE_INVALID_ARGUMENT);
    }

    private static void noAccount(SanityClient probe) {
        probe.revoke(probe.requests()
                        .revoke(probe.madeBucket(), "")
                        .removePermissions(ParameterKeys.ACCOUNT)
                        .build())
                .requireRefused(
                        "A request without " + ParameterKeys.ACCOUNT,
                        REVOKE_INVALID_ARGUMENT,
                        REVOKE_INVALID_PRINCIPAL);
    }

    private static void otherProtocol(SanityClient probe) {
        probe.revoke(probe.requests()
                        .revoke(probe.madeBucket(), probe.newAccount())
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused("request_protocol " + probe.otherProtocol(), REVOKE_INVALID_ARGUMENT);
    }

    private static void atOnce(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials _ = GrantChecks.grant(probe, bucket, account);
        probe.<RevokeBucketAccessResponse>atOnce(_ -> probe.revoke(request(probe, bucket, account)))
                .forEach(answer -> answer.requireEnded("One of several revocations"));
    }

    private static RevokeBucketAccessRequest request(SanityClient probe, TestBucket bucket, String account) {
        return probe.requests().revoke(bucket, account).build();
    }
}
