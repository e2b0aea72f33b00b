package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.wire.CosiError.CREATE_ALREADY_EXISTS;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_CREDENTIALS;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_PROTOCOL;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.Bucket;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.sanity.SanityCheck.CheckSkipped;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.store.errors.InputText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** CreateBucket. */
final class CreateChecks {

    private static final int LONGEST = 63;

    private CreateChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                new SanityCheck("create-bucket", "CreateBucket returns the requested bucket", CreateChecks::bucket),
                new SanityCheck(
                        "create-connection", "CreateBucket returns the connection data", CreateChecks::connection),
                new SanityCheck("create-no-secrets", "CreateBucket returns no secret", CreateChecks::noSecrets),
                new SanityCheck(
                        "create-repeat",
                        "CreateBucket is idempotent and returns the same response",
                        CreateChecks::repeat),
                new SanityCheck(
                        "create-name-in-use",
                        "CreateBucket rejects a name that another Bucket owns",
                        CreateChecks::foreign),
                new SanityCheck(
                        "create-modes",
                        "CreateBucket accepts each access mode or rejects the argument",
                        CreateChecks::modes),
                new SanityCheck(
                        "create-longest-name",
                        "CreateBucket accepts a name of 63 characters",
                        CreateChecks::longestName),
                new SanityCheck("create-empty-name", "CreateBucket rejects an empty name", CreateChecks::emptyName),
                new SanityCheck(
                        "create-invalid-names", "CreateBucket rejects invalid names", CreateChecks::hostileNames),
                new SanityCheck(
                        "create-no-protocol",
                        "CreateBucket rejects a request without protocol",
                        CreateChecks::noProtocol),
                new SanityCheck(
                        "create-other-protocol",
                        "CreateBucket rejects a protocol that is not the driver's",
                        CreateChecks::otherProtocol),
                new SanityCheck(
                        "create-wrong-credentials",
                        "CreateBucket rejects credentials that are wrong",
                        CreateChecks::wrongCredentials),
                new SanityCheck(
                        "create-concurrent-same-name",
                        "Concurrent CreateBucket calls with one name create one bucket",
                        CreateChecks::oneNameAtOnce),
                new SanityCheck(
                        "create-concurrent-names",
                        "Concurrent CreateBucket calls with different names create all buckets",
                        CreateChecks::manyNamesAtOnce));
    }

    private static void bucket(SanityClient probe) {
        TestBucket wanted = probe.newBucket();
        Bucket made = create(probe, wanted).getBucket();
        if (!made.getName().equals(wanted.name())) {
            throw new CheckFailed("Asked for " + wanted.name() + ", and got " + InputText.quote(made.getName()) + ".");
        }
        String driver = probe.info().getDriverName();
        if (!made.getProvisioner().equals(driver)) {
            throw new CheckFailed("bucket.provisioner is " + InputText.quote(made.getProvisioner())
                    + ", and the driver calls itself " + InputText.quote(driver) + ".");
        }
    }

    private static void connection(SanityClient probe) {
        Map<String, String> data = data(create(probe, probe.newBucket()));
        for (String key : List.of("BUCKET_NAME", "BUCKET_ENDPOINT")) {
            if (data.getOrDefault(key, "").isEmpty()) {
                throw new CheckFailed("bucket.provider_context.generic_context.bucket_data has no " + key + "; it has "
                        + data.keySet() + ".");
            }
        }
    }

    private static void noSecrets(SanityClient probe) {
        data(create(probe, probe.newBucket())).forEach((key, value) -> {
            boolean named = key.matches("(?i).*(SECRET|PASSWORD|TOKEN|PRIVATE_KEY|ACCESS_KEY).*");
            if (named || probe.revealed().containsValue(value)) {
                throw new CheckFailed("bucket_data holds " + key + ", which everybody may read.");
            }
        });
    }

    private static void repeat(SanityClient probe) {
        TestBucket bucket = probe.newBucket();
        CreateBucketResponse first = create(probe, bucket);
        CreateBucketResponse second = probe.create(request(probe, bucket)).require("Creating it again");
        if (!first.equals(second)) {
            throw new CheckFailed("The second answer is not the first.");
        }
    }

    private static void foreign(SanityClient probe) {
        TestBucket bucket = probe.madeBucket();
        TestBucket anothers = bucket.ofAnother(UUID.randomUUID().toString());
        probe.create(request(probe, anothers))
                .requireRefused("Creating a bucket that another Bucket has", CREATE_ALREADY_EXISTS);
    }

    private static void modes(SanityClient probe) {
        for (AccessMode mode : List.of(AccessMode.RO, AccessMode.WO, AccessMode.RW)) {
            RpcResult<CreateBucketResponse> answer = probe.create(probe.requests()
                    .create(probe.newBucket())
                    .setAccessMode(mode)
                    .build());
            if (answer instanceof Refused<CreateBucketResponse>) {
                answer.requireRefused("access_mode " + mode, CREATE_INVALID_ARGUMENT);
            }
        }
    }

    private static void longestName(SanityClient probe) {
        TestBucket bucket = probe.newBucket();
        String name = bucket.name() + "x".repeat(LONGEST - bucket.name().length());
        create(probe, bucket.named(name));
    }

    private static void emptyName(SanityClient probe) {
        probe.create(request(probe, probe.newBucket().named("")))
                .requireRefused("An empty bucket_name", CREATE_INVALID_ARGUMENT);
    }

    private static void hostileNames(SanityClient probe) {
        for (String name : InvalidNames.all()) {
            probe.create(request(probe, probe.newBucket().named(name)))
                    .requireRefused("bucket_name " + InputText.quote(name), CREATE_INVALID_ARGUMENT);
        }
    }

    private static void noProtocol(SanityClient probe) {
        probe.create(probe.requests()
                        .create(probe.newBucket())
                        .setRequestProtocol(DataProtocol.PROTOCOL_UNSPECIFIED)
                        .build())
                .requireRefused("A request without protocol", CREATE_INVALID_PROTOCOL, CREATE_INVALID_ARGUMENT);
    }

    private static void otherProtocol(SanityClient probe) {
        probe.create(probe.requests()
                        .create(probe.newBucket())
                        .setRequestProtocol(probe.otherProtocol())
                        .build())
                .requireRefused(
                        "request_protocol " + probe.otherProtocol(), CREATE_INVALID_PROTOCOL, CREATE_INVALID_ARGUMENT);
    }

    private static void wrongCredentials(SanityClient probe) {
        if (probe.options().secrets().isEmpty()) {
            throw new CheckSkipped("no credentials were given to spoil");
        }
        Map<String, String> wrong = new HashMap<>();
        probe.revealed().forEach((key, value) -> wrong.put(key, new StringBuilder(value).reverse() + "x"));
        probe.create(probe.requestsWith(wrong).create(probe.newBucket()).build())
                .requireRefused("A request with wrong secrets", CREATE_INVALID_CREDENTIALS);
    }

    private static void oneNameAtOnce(SanityClient probe) {
        TestBucket bucket = probe.newBucket();
        List<RpcResult<CreateBucketResponse>> answers = probe.atOnce(_ -> probe.create(request(probe, bucket)));
        answers.stream()
                .filter(answer -> answer instanceof Refused<CreateBucketResponse> refused
                        && refused.error().meaning() != Meaning.TRY_AGAIN)
                .forEach(answer -> answer.require("One of several requests for one bucket"));
        create(probe, bucket);
    }

    private static void manyNamesAtOnce(SanityClient probe) {
        probe.<CreateBucketResponse>atOnce(_ -> probe.create(request(probe, probe.newBucket())))
                .forEach(answer -> answer.require("One of several buckets at once"));
    }

    private static CreateBucketResponse create(SanityClient probe, TestBucket bucket) {
        return probe.create(request(probe, bucket)).require("Creating the bucket " + bucket.name());
    }

    private static CreateBucketRequest request(SanityClient probe, TestBucket bucket) {
        return probe.requests().create(bucket).build();
    }

    private static Map<String, String> data(CreateBucketResponse response) {
        return response.getBucket().getProviderContext().getGenericContext().getBucketDataMap();
    }
}
