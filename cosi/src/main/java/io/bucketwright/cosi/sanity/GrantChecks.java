package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_PRINCIPAL;

import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.errors.InputText;
import java.time.Instant;
import java.util.List;

/** GrantBucketAccess. */
final class GrantChecks {

    private GrantChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck("grant-credentials", "GrantBucketAccess returns credentials", GrantChecks::credentials),
                new SanityCheck(
                        "grant-repeat", "GrantBucketAccess returns credentials when repeated", GrantChecks::repeat),
                new SanityCheck(
                        "grant-separate-credentials",
                        "GrantBucketAccess returns separate credentials for each account",
                        GrantChecks::apart),
                new SanityCheck(
                        "grant-rotate",
                        "GrantBucketAccess returns new credentials when a rotation is requested",
                        GrantChecks::rotate),
                new SanityCheck(
                        "grant-no-administrator-secret",
                        "GrantBucketAccess does not return the administrator's credentials",
                        GrantChecks::notAdministrators),
                new SanityCheck(
                        "grant-missing-bucket",
                        "GrantBucketAccess rejects a bucket that does not exist",
                        GrantChecks::missingBucket),
                new SanityCheck(
                        "grant-empty-name", "GrantBucketAccess rejects an empty bucket name", GrantChecks::emptyName),
                new SanityCheck(
                        "grant-no-account",
                        "GrantBucketAccess rejects a request without account",
                        GrantChecks::noAccount),
                new SanityCheck(
                        "grant-invalid-accounts",
                        "GrantBucketAccess rejects invalid accounts",
                        GrantChecks::hostileAccounts),
                new SanityCheck(
                        "grant-service-account",
                        "GrantBucketAccess grants access to a service account or rejects the principal",
                        GrantChecks::serviceAccount),
                new SanityCheck(
                        "grant-other-protocol",
                        "GrantBucketAccess rejects a protocol that is not the driver's",
                        GrantChecks::otherProtocol),
                new SanityCheck(
                        "grant-concurrent",
                        "Concurrent GrantBucketAccess calls for different accounts succeed",
                        GrantChecks::atOnce));
    }

    private static void credentials(SanityClient probe) {
        GrantedCredentials _ = grant(probe, probe.madeBucket(), probe.newAccount());
    }

    private static void repeat(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials _ = grant(probe, bucket, account);
        GrantedCredentials _ = GrantedCredentials.of(
                probe.grant(request(probe, bucket, account)).require("Granting the same access again"));
    }

    private static void apart(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        if (grant(probe, bucket, probe.newAccount()).sameAs(grant(probe, bucket, probe.newAccount()))) {
            throw new CheckFailed("Two accounts got the same credentials.");
        }
    }

    private static void rotate(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        GrantedCredentials old = grant(probe, bucket, account);
        GrantBucketAccessRequest rotation = probe.requests()
                .grant(bucket, account)
                .putPermissions(ParameterKeys.ROTATE_AT, Instant.now().toString())
                .build();
        if (GrantedCredentials.of(probe.grant(rotation).require("Granting with " + ParameterKeys.ROTATE_AT))
                .sameAs(old)) {
            throw new CheckFailed("The credentials are the same as before.");
        }
    }

    private static void notAdministrators(SanityClient probe) {
        if (probe.options().secrets().isEmpty()) {
            throw new CheckSkipped("no credentials were given to compare with");
        }
        grant(probe, probe.madeBucket(), probe.newAccount()).all().forEach((key, value) -> {
            if (probe.revealed().containsValue(value)) {
                throw new CheckFailed(
                        "The value of " + InputText.quote(key) + " is one of the administrator's secrets.");
            }
        });
    }

    private static void missingBucket(SanityClient probe) {
        probe.grant(request(probe, probe.newBucket(), probe.newAccount()))
                .requireRefused("Access to a bucket that never was", GRANT_BUCKET_DOESNOT_EXIST);
    }

    private static void emptyName(SanityClient probe) {
        probe.grant(request(probe, probe.newBucket().named(""), probe.newAccount()))
                .requireRefused("An empty bucket_name", GRANT_INVALID_ARGUMENT);
    }

    private static void noAccount(SanityClient probe) {
        probe.grant(probe.requests()
                        .grant(probe.madeBucket(), "")
                        .removePermissions(ParameterKeys.ACCOUNT)
                        .build())
                .requireRefused(
                        "A request without " + ParameterKeys.ACCOUNT, GRANT_INVALID_ARGUMENT, GRANT_INVALID_PRINCIPAL);
    }

    private static void hostileAccounts(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        for (String name : InvalidNames.all()) {
            probe.grant(request(probe, bucket, name))
                    .requireRefused(
                            "The account " + InputText.quote(name), GRANT_INVALID_PRINCIPAL, GRANT_INVALID_ARGUMENT);
        }
    }

    private static void serviceAccount(SanityClient probe) {
        RpcResult<GrantBucketAccessResponse> answer = probe.grant(probe.requests()
                .grant(probe.madeBucket(), probe.newAccount())
                .putPermissions(ParameterKeys.SERVICE_ACCOUNT, "cosi-sanity/somebody")
                .build());
        if (!answer.isDone()) {
            // A driver that sends no names has one code for both.
            answer.requireRefused("Access for a service account", GRANT_INVALID_PRINCIPAL, GRANT_INVALID_ARGUMENT);
        }
    }

    private static void otherProtocol(SanityClient probe) {
        probe.grant(probe.requests()
                        .grant(probe.madeBucket(), probe.newAccount())
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused("request_protocol " + probe.otherProtocol(), GRANT_INVALID_ARGUMENT);
    }

    private static void atOnce(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        List<RpcResult<GrantBucketAccessResponse>> answers =
                probe.atOnce(_ -> probe.grant(request(probe, bucket, probe.newAccount())));
        long different = answers.stream()
                .map(answer -> GrantedCredentials.of(answer.require("Access for one of many accounts"))
                        .all())
                .distinct()
                .count();
        if (different != answers.size()) {
            throw new CheckFailed(answers.size() + " accounts got " + different + " different credentials.");
        }
    }

    static GrantedCredentials grant(SanityClient probe, TestBucket bucket, String account) {
        return GrantedCredentials.of(
                probe.grant(request(probe, bucket, account)).require("Granting access to " + bucket.name()));
    }

    private static GrantBucketAccessRequest request(SanityClient probe, TestBucket bucket, String account) {
        return probe.requests().grant(bucket, account).build();
    }
}
