package io.bucketwright.cosi.sanity;

import static io.bucketwright.cosi.sanity.CheckFailed.require;
import static io.bucketwright.cosi.sanity.SanityCheck.check;
import static io.bucketwright.cosi.wire.CosiError.CREATE_ALREADY_EXISTS;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_ARGUMENT;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_CREDENTIALS;
import static io.bucketwright.cosi.wire.CosiError.CREATE_INVALID_PROTOCOL;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.sanity.RpcResult.Refused;
import io.bucketwright.cosi.sanity.SanityDialect.CreatedTestBucket;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.store.errors.InputText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks of CreateBucket. */
final class CreateChecks {

    private static final int LONGEST = 63;

    private CreateChecks() {}

    static List<SanityCheck> all() {
        return List.of(
                check("create-bucket", "CreateBucket returns the requested bucket", CreateChecks::bucket),
                check(CheckNeed.COSI_V1, "create-connection", "CreateBucket returns the connection data", client -> {
                    Map<String, String> data =
                            client.created(client.newBucket()).data();
                    for (String key : List.of("BUCKET_NAME", connectionKey(client.protocol()))) {
                        require(
                                !data.getOrDefault(key, "").isEmpty(),
                                "bucket.provider_context.generic_context.bucket_data has no " + key + "; it has "
                                        + data.keySet() + ".");
                    }
                }),
                check(
                        CheckNeed.COSI_V1,
                        "create-no-secrets",
                        "CreateBucket returns no secret",
                        CreateChecks::noSecrets),
                check("create-repeat", "CreateBucket is idempotent and returns the same response", client -> {
                    TestBucket bucket = client.newBucket();
                    CreatedTestBucket first = client.created(bucket);
                    CreatedTestBucket second = client.create(bucket).require("Creating it again");
                    require(first.response().equals(second.response()), "The second response differs from the first.");
                }),
                check(
                        CheckNeed.OWNERS,
                        "create-name-in-use",
                        "CreateBucket rejects a name that another Bucket owns",
                        client -> client.create(client.newCreatedBucket().ofAnotherOwner())
                                .requireRefused("Creating a bucket that another Bucket owns", CREATE_ALREADY_EXISTS)),
                check(
                        CheckNeed.ANONYMOUS_ACCESS,
                        "create-modes",
                        "CreateBucket accepts each access mode or rejects the argument",
                        CreateChecks::modes),
                check("create-longest-name", "CreateBucket accepts a name of 63 characters", client -> {
                    TestBucket bucket = client.newBucket();
                    client.created(bucket.named(
                            bucket.name() + "x".repeat(LONGEST - bucket.name().length())));
                }),
                check(
                        "create-empty-name",
                        "CreateBucket rejects an empty name",
                        client -> client.create(client.newBucket().named(""))
                                .requireRefused("An empty bucket_name", CREATE_INVALID_ARGUMENT)),
                check(CheckNeed.NAMES_AS_IDS, "create-invalid-names", "CreateBucket rejects invalid names", client -> {
                    for (String name : TestBucket.INVALID_NAMES) {
                        client.create(client.newBucket().named(name))
                                .requireRefused("bucket_name " + InputText.quote(name), CREATE_INVALID_ARGUMENT);
                    }
                }),
                check(
                        CheckNeed.PROTOCOLS,
                        "create-no-protocol",
                        "CreateBucket rejects a request without protocol",
                        client -> requireRefused(client, DataProtocol.PROTOCOL_UNSPECIFIED)),
                check(
                        CheckNeed.PROTOCOLS,
                        "create-other-protocol",
                        "CreateBucket rejects a protocol that is not the driver's",
                        client -> requireRefused(client, client.otherProtocol())),
                check(
                        CheckNeed.REQUEST_SECRETS,
                        CheckNeed.ADMINISTRATOR_SECRET,
                        "create-wrong-credentials",
                        "CreateBucket rejects credentials that are wrong",
                        CreateChecks::wrongCredentials),
                check(
                        "create-concurrent-same-name",
                        "Concurrent CreateBucket calls with one name create one bucket",
                        CreateChecks::sameName),
                check(
                        "create-concurrent-names",
                        "Concurrent CreateBucket calls with different names create all buckets",
                        client -> client.concurrently(() -> client.create(client.newBucket()))
                                .forEach(result -> result.require("One of several concurrent buckets"))));
    }

    private static void bucket(SanityClient client) {
        String problem = client.created(client.newBucket()).problem().get();
        require(problem.isEmpty(), problem);
    }

    private static void noSecrets(SanityClient client) {
        client.created(client.newBucket()).data().forEach((key, value) -> {
            boolean named = key.matches("(?i).*(SECRET|PASSWORD|TOKEN|PRIVATE_KEY|ACCESS_KEY).*");
            require(
                    !named && !client.secrets().containsValue(value),
                    "bucket_data contains " + key + ", which everybody may read.");
        });
    }

    private static void modes(SanityClient client) {
        for (AccessMode mode : List.of(AccessMode.RO, AccessMode.WO, AccessMode.RW)) {
            client.create(client.newBucket(), request -> request.setAccessMode(mode))
                    .requireDoneOrRefused("access_mode " + mode, CREATE_INVALID_ARGUMENT);
        }
    }

    private static void requireRefused(SanityClient client, DataProtocol protocol) {
        client.create(client.newBucket(), request -> request.setRequestProtocol(protocol))
                .requireRefused("request_protocol " + protocol, CREATE_INVALID_PROTOCOL, CREATE_INVALID_ARGUMENT);
    }

    private static void wrongCredentials(SanityClient client) {
        Map<String, String> wrong = new HashMap<>();
        client.secrets().forEach((key, value) -> wrong.put(key, new StringBuilder(value).reverse() + "x"));
        client.create(client.newBucket(), request -> request.putAllSecrets(wrong))
                .requireRefused("A request with wrong secrets", CREATE_INVALID_CREDENTIALS);
    }

    private static void sameName(SanityClient client) {
        TestBucket bucket = client.newBucket();
        client.concurrently(() -> client.create(bucket)).stream()
                .filter(result -> result instanceof Refused<CreatedTestBucket> refused
                        && refused.error().meaning() != Meaning.TRY_AGAIN)
                .forEach(result -> result.require("One of several concurrent requests for one bucket"));
        client.created(bucket);
    }

    /** What the sidecar needs to know where a bucket of the protocol is. */
    private static String connectionKey(DataProtocol protocol) {
        return switch (protocol) {
            case GCS -> "GOOGLE_CLOUD_PROJECT";
            case AZURE_BLOB -> "AZURE_STORAGE_ACCOUNT";
            case S3, PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> "BUCKET_ENDPOINT";
        };
    }
}
