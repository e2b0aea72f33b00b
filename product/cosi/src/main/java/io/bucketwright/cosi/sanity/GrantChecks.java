package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;
import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_PRINCIPAL;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sanity.SanityDialect.GrantAnswer;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.errors.InputText;
import java.time.Instant;
import java.util.List;

/** Checks of GrantBucketAccess. */
final class GrantChecks {

    private GrantChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check("grant-credentials", "GrantBucketAccess returns credentials", client -> {
                    GrantedCredentials _ = client.granted(client.newCreatedBucket(), client.newAccount());
                }),
                check("grant-repeat", "GrantBucketAccess returns credentials when repeated", client -> {
                    TestAccess access = client.newGrantedAccess();
                    GrantedCredentials _ = client.grant(access.bucket(), access.account())
                            .require("Granting the same access again")
                            .credentials();
                }),
                check(
                        "grant-separate-credentials",
                        "GrantBucketAccess returns separate credentials for each account",
                        client -> {
                            TestAccess access = client.newGrantedAccess();
                            require(
                                    !client.granted(access.bucket(), client.newAccount())
                                            .sameAs(access.credentials()),
                                    "Two accounts have the same credentials.");
                        }),
                check(
                        CheckNeed.ROTATION,
                        "grant-rotate",
                        "GrantBucketAccess returns new credentials when a rotation is requested",
                        GrantChecks::rotate),
                check(
                        CheckNeed.ADMINISTRATOR_SECRET,
                        "grant-no-administrator-secret",
                        "GrantBucketAccess does not return the administrator's credentials",
                        GrantChecks::noAdministratorSecret),
                check(
                        CheckNeed.NAMES_AS_IDS,
                        "grant-missing-bucket",
                        "GrantBucketAccess rejects a bucket that does not exist",
                        client -> client.grant(client.newBucket(), client.newAccount())
                                .requireRefused("Access to a bucket that never existed", GRANT_BUCKET_DOESNOT_EXIST)),
                check(
                        "grant-empty-name",
                        "GrantBucketAccess rejects an empty bucket name",
                        client -> client.grant(client.newBucket().named(""), client.newAccount())
                                .requireRefused("An empty bucket_name", GRANT_INVALID_ARGUMENT)),
                check(
                        "grant-no-account",
                        "GrantBucketAccess rejects a request without account",
                        client -> client.grant(
                                        client.newCreatedBucket(),
                                        "",
                                        request -> request.removePermissions(ParameterKeys.ACCOUNT))
                                .requireRefused(
                                        "A request without " + ParameterKeys.ACCOUNT,
                                        GRANT_INVALID_ARGUMENT,
                                        GRANT_INVALID_PRINCIPAL)),
                check(
                        CheckNeed.NAMES_AS_IDS,
                        "grant-invalid-accounts",
                        "GrantBucketAccess rejects invalid accounts",
                        client -> {
                            TestBucket bucket = client.newCreatedBucket();
                            for (String name : TestBucket.INVALID_NAMES) {
                                client.grant(bucket, name)
                                        .requireRefused(
                                                "The account " + InputText.quote(name),
                                                GRANT_INVALID_PRINCIPAL,
                                                GRANT_INVALID_ARGUMENT);
                            }
                        }),
                check(
                        "grant-service-account",
                        "GrantBucketAccess grants access to a service account or rejects the principal",
                        // A driver without names of errors has one code for both.
                        client -> client.grant(
                                        client.newCreatedBucket(),
                                        client.newAccount(),
                                        request -> request.putPermissions(
                                                ParameterKeys.SERVICE_ACCOUNT, "cosi-sanity/somebody"))
                                .requireDoneOrRefused(
                                        "Access for a service account",
                                        GRANT_INVALID_PRINCIPAL,
                                        GRANT_INVALID_ARGUMENT)),
                check(
                        CheckNeed.PROTOCOLS,
                        "grant-other-protocol",
                        "GrantBucketAccess rejects a protocol that is not the driver's",
                        client -> client.grant(
                                        client.newCreatedBucket(),
                                        client.newAccount(),
                                        request -> request.setRequestProtocol(client.otherProtocol()))
                                .requireRefused("request_protocol " + client.otherProtocol(), GRANT_INVALID_ARGUMENT)),
                check(
                        "grant-concurrent",
                        "Concurrent GrantBucketAccess calls for different accounts succeed",
                        GrantChecks::concurrent));
    }

    private static void rotate(SanityClient client) {
        TestAccess access = client.newGrantedAccess();
        GrantAnswer rotated = client.grant(
                        access.bucket(),
                        access.account(),
                        request -> request.putPermissions(
                                ParameterKeys.ROTATE_AT, Instant.now().toString()))
                .require("Granting with " + ParameterKeys.ROTATE_AT);
        require(!rotated.credentials().sameAs(access.credentials()), "The credentials are the same as before.");
    }

    private static void noAdministratorSecret(SanityClient client) {
        client.newGrantedAccess()
                .credentials()
                .all()
                .forEach((key, value) -> require(
                        !client.secrets().containsValue(value),
                        "The value of " + InputText.quote(key) + " is one of the administrator's secrets."));
    }

    private static void concurrent(SanityClient client) {
        // The released protocol names it only with credentials.
        DataProtocol protocol = client.newGrantedAccess().credentials().protocol();
        TestBucket bucket = client.newCreatedBucket();
        List<RpcResult<GrantAnswer>> results =
                client.concurrentAccounts(protocol, () -> client.grant(bucket, client.newAccount()));
        long different = results.stream()
                .map(result -> result.require("Access for one of several concurrent accounts")
                        .credentials()
                        .all())
                .distinct()
                .count();
        require(
                different == results.size(),
                results.size() + " accounts have " + different + " different credentials.");
    }
}
