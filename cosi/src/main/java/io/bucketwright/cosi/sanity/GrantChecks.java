package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.GRANT_BUCKET_DOESNOT_EXIST;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.GRANT_INVALID_PRINCIPAL;

import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.sanity.Check.CheckFailed;
import io.bucketwright.cosi.sanity.Check.CheckSkipped;
import io.bucketwright.cosi.wire.Keys;
import io.bucketwright.store.Quoted;
import java.time.Instant;
import java.util.List;

/** GrantBucketAccess. */
final class GrantChecks {

    private GrantChecks() {}

    static List<Check> all() {
        return List.of(
                new Check("grant-credentials", "GrantBucketAccess answers credentials", GrantChecks::credentials),
                new Check("grant-repeat", "GrantBucketAccess repeated answers credentials again", GrantChecks::repeat),
                new Check(
                        "grant-apart",
                        "GrantBucketAccess gives each account credentials of its own",
                        GrantChecks::apart),
                new Check(
                        "grant-rotate",
                        "GrantBucketAccess answers new credentials when a rotation is asked for",
                        GrantChecks::rotate),
                new Check(
                        "grant-not-administrators",
                        "GrantBucketAccess hands out no credentials of the administrator",
                        GrantChecks::notAdministrators),
                new Check(
                        "grant-missing-bucket",
                        "GrantBucketAccess refuses a bucket that is not there",
                        GrantChecks::missingBucket),
                new Check(
                        "grant-empty-name",
                        "GrantBucketAccess refuses an empty name of a bucket",
                        GrantChecks::emptyName),
                new Check(
                        "grant-no-account",
                        "GrantBucketAccess refuses a request without account",
                        GrantChecks::noAccount),
                new Check(
                        "grant-hostile-accounts",
                        "GrantBucketAccess refuses accounts that are none",
                        GrantChecks::hostileAccounts),
                new Check(
                        "grant-service-account",
                        "GrantBucketAccess grants a service account access, or refuses the principal",
                        GrantChecks::serviceAccount),
                new Check(
                        "grant-other-protocol",
                        "GrantBucketAccess refuses a protocol that is not the driver's",
                        GrantChecks::otherProtocol),
                new Check(
                        "grant-at-once",
                        "GrantBucketAccess for many accounts at once serves them all",
                        GrantChecks::atOnce));
    }

    private static void credentials(Probe probe) {
        Granted _ = grant(probe, probe.madeBucket(), probe.newAccount());
    }

    private static void repeat(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        Granted _ = grant(probe, bucket, account);
        Granted _ = Granted.of(probe.grant(request(probe, bucket, account)).require("Granting the same access again"));
    }

    private static void apart(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        if (grant(probe, bucket, probe.newAccount()).sameAs(grant(probe, bucket, probe.newAccount()))) {
            throw new CheckFailed("Two accounts got the same credentials.");
        }
    }

    private static void rotate(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        String account = probe.newAccount();
        Granted old = grant(probe, bucket, account);
        GrantBucketAccessRequest rotation = probe.requests()
                .grant(bucket, account)
                .putPermissions(Keys.ROTATE_AT, Instant.now().toString())
                .build();
        if (Granted.of(probe.grant(rotation).require("Granting with " + Keys.ROTATE_AT))
                .sameAs(old)) {
            throw new CheckFailed("The credentials are the same as before.");
        }
    }

    private static void notAdministrators(Probe probe) {
        if (probe.options().secrets().isEmpty()) {
            throw new CheckSkipped("no credentials were given to compare with");
        }
        grant(probe, probe.madeBucket(), probe.newAccount()).all().forEach((key, value) -> {
            if (probe.revealed().containsValue(value)) {
                throw new CheckFailed("The value of " + Quoted.text(key) + " is one of the administrator's secrets.");
            }
        });
    }

    private static void missingBucket(Probe probe) {
        probe.grant(request(probe, probe.newBucket(), probe.newAccount()))
                .requireRefused("Access to a bucket that never was", GRANT_BUCKET_DOESNOT_EXIST);
    }

    private static void emptyName(Probe probe) {
        probe.grant(request(probe, probe.newBucket().named(""), probe.newAccount()))
                .requireRefused("An empty bucket_name", GRANT_INVALID_ARGUMENT);
    }

    private static void noAccount(Probe probe) {
        probe.grant(probe.requests()
                        .grant(probe.madeBucket(), "")
                        .removePermissions(Keys.ACCOUNT)
                        .build())
                .requireRefused("A request without " + Keys.ACCOUNT, GRANT_INVALID_ARGUMENT, GRANT_INVALID_PRINCIPAL);
    }

    private static void hostileAccounts(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        for (String name : HostileNames.all()) {
            probe.grant(request(probe, bucket, name))
                    .requireRefused(
                            "The account " + Quoted.text(name), GRANT_INVALID_PRINCIPAL, GRANT_INVALID_ARGUMENT);
        }
    }

    private static void serviceAccount(Probe probe) {
        Answer<GrantBucketAccessResponse> answer = probe.grant(probe.requests()
                .grant(probe.madeBucket(), probe.newAccount())
                .putPermissions(Keys.SERVICE_ACCOUNT, "cosi-sanity/somebody")
                .build());
        if (!answer.isDone()) {
            // A driver that sends no names has one code for both.
            answer.requireRefused("Access for a service account", GRANT_INVALID_PRINCIPAL, GRANT_INVALID_ARGUMENT);
        }
    }

    private static void otherProtocol(Probe probe) {
        probe.grant(probe.requests()
                        .grant(probe.madeBucket(), probe.newAccount())
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused("request_protocol " + probe.otherProtocol(), GRANT_INVALID_ARGUMENT);
    }

    private static void atOnce(Probe probe) {
        SampleBucket bucket = probe.madeBucket();
        List<Answer<GrantBucketAccessResponse>> answers =
                probe.atOnce(_ -> probe.grant(request(probe, bucket, probe.newAccount())));
        long different = answers.stream()
                .map(answer -> Granted.of(answer.require("Access for one of many accounts"))
                        .all())
                .distinct()
                .count();
        if (different != answers.size()) {
            throw new CheckFailed(answers.size() + " accounts got " + different + " different credentials.");
        }
    }

    static Granted grant(Probe probe, SampleBucket bucket, String account) {
        return Granted.of(probe.grant(request(probe, bucket, account)).require("Granting access to " + bucket.name()));
    }

    private static GrantBucketAccessRequest request(Probe probe, SampleBucket bucket, String account) {
        return probe.requests().grant(bucket, account).build();
    }
}
