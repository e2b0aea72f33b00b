package io.bucketwright.store.s3;

import io.bucketwright.local.stores.LocalStore;
import io.bucketwright.local.stores.StoreAccess;
import io.bucketwright.local.stores.StoreKind;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.s3.ceph.CephIdentity;
import io.bucketwright.store.s3.client.AdminClient;
import io.bucketwright.store.s3.client.AdminRequest;
import io.bucketwright.store.s3.client.AwsClients;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.identity.Identity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gives the conformance tests access to a Ceph object gateway, started once for all tests of this JVM. */
final class CephGateway implements StoreUnderTest, AutoCloseable {

    private static final BucketOwner NOBODY = new BucketOwner("no-cluster", "nobody");
    private static final String ADMINISTRATOR = "administrator";
    private static final int NOT_FOUND = 404;

    private final LocalStore servers;
    private final StoreAccess access;
    private final S3StoreFactory factory = new S3StoreFactory();
    private final AwsClients clients;
    private final S3Client administrator;
    private final AdminClient admin;
    private final Identity identity;

    private CephGateway(LocalStore servers) {
        this.servers = servers;
        this.access = servers.access();
        this.clients = new AwsClients(
                S3Parameters.of(factory.parameters().parse(parameters())),
                SecretValue.of(access.accessKeyId()),
                SecretValue.of(access.secretAccessKey()),
                List.of());
        this.administrator = clients.s3();
        this.admin = clients.admin();
        this.identity = CephIdentity.open(clients);
    }

    Map<String, String> parameters() {
        return Map.of("endpoint", access.endpoint(), "region", access.region(), "identity", "ceph");
    }

    AdminClient admin() {
        return admin;
    }

    @Override
    public BucketStore store() {
        return open(parameters(), access.secretAccessKey());
    }

    @Override
    public BucketStore storeWithInvalidCredentials() {
        return open(parameters(), "not-the-secret-of-this-key");
    }

    @Override
    public BucketStore unreachableStore() {
        Map<String, String> unreachable = new HashMap<>(parameters());
        unreachable.put("endpoint", "http://127.0.0.1:1");
        return open(unreachable, access.secretAccessKey());
    }

    @Override
    public Optional<BucketStore> storeFailingAfter(int requests) {
        return Optional.of(factory.open(
                factory.parameters().parse(parameters()),
                secret(access.secretAccessKey()),
                List.of(new FailingInterceptor(requests))));
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return new S3Application(bucket);
    }

    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.of(new AnonymousClient(access.endpoint(), bucket.text()));
    }

    @Override
    public void createBucket(BucketName bucket) {
        administrator.createBucket(request -> request.bucket(bucket.text()));
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        S3Client account = account(bucket);
        try {
            BucketContents contents = new BucketContents(account);
            while (contents.deleteSlice(call(), bucket) instanceof Progress.More) {
                // Continue until the bucket is empty.
            }
            new Buckets(account, access.region()).delete(call(), bucket);
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
        identity.clients().deleted(call(), bucket, NOBODY);
    }

    @Override
    public boolean bucketExists(BucketName bucket) {
        return buckets(bucket).ownership(call(), bucket).isPresent();
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return buckets(bucket).tags(call(), bucket).orElseThrow();
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {
        buckets(bucket).addTags(call(), bucket, Map.of(key, value));
    }

    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        S3Client s3 = account(bucket);
        s3.putBucketVersioning(request -> request.bucket(bucket.text())
                .versioningConfiguration(configuration -> configuration.status(BucketVersioningStatus.ENABLED)));
        for (String text : List.of("first", "second")) {
            s3.putObject(request -> request.bucket(bucket.text()).key("folder/versions"), RequestBody.fromString(text));
        }
        s3.deleteObject(request -> request.bucket(bucket.text()).key("folder/versions"));
        s3.createMultipartUpload(request -> request.bucket(bucket.text()).key("incomplete"));
        return true;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        S3Client s3 = account(bucket);
        String name = bucket.text();
        return switch (option) {
            case OwningUser user ->
                Optional.of(bucketField(bucket, "owner").asString().equals(user.name()));
            case Quota _ -> Optional.of(quota(bucket).contains("\"enabled\":true"));
            case Versioning _ ->
                Optional.of(
                        s3.getBucketVersioning(request -> request.bucket(name)).status()
                                == BucketVersioningStatus.ENABLED);
            case Tags tags ->
                Optional.of(tags(bucket).entrySet().containsAll(tags.tags().entrySet()));
            case CannedAcl _ ->
                Optional.of(s3.getBucketAcl(request -> request.bucket(name)).grants().stream()
                        .anyMatch(grant -> grant.grantee().uri() != null));
            case AnonymousAccess _ ->
                exists(() -> s3.getBucketPolicy(request -> request.bucket(name))
                        .policy()
                        .contains("BucketwrightGet"));
            case Cors _ ->
                exists(() -> s3.getBucketCors(request -> request.bucket(name)).hasCorsRules());
            case ObjectLock _ ->
                exists(() -> s3.getObjectLockConfiguration(request -> request.bucket(name))
                                .objectLockConfiguration()
                                .objectLockEnabled()
                        == ObjectLockEnabled.ENABLED);
            case Lifecycle _ ->
                exists(() -> s3.getBucketLifecycleConfiguration(request -> request.bucket(name))
                        .hasRules());
            case Policy _ -> Optional.empty();
        };
    }

    /** The quota of a bucket as the gateway returns it, without spaces. */
    String quota(BucketName bucket) {
        return bucketField(bucket, "bucket_quota").toString().replace(" ", "");
    }

    /** A field of the description of a bucket. */
    JsonNode bucketField(BucketName bucket, String field) {
        byte[] response = admin.send(
                call(),
                "read the bucket " + bucket,
                AdminRequest.of(SdkHttpMethod.GET, "/admin/bucket")
                        .with("bucket", bucket.text())
                        .with("format", "json"));
        return JsonNode.parser()
                .parse(new String(response, StandardCharsets.UTF_8))
                .field(field)
                .orElseThrow();
    }

    /** A user that others created, without capabilities. */
    @Override
    public String bucketOwner() {
        return user("contract-owner").uid();
    }

    /** A user of applications, which others created. */
    record User(String uid, S3Client s3) {}

    /** Creates a user, or finds it; {@code settings} are further parameters of the request, such as {@code user-caps}. */
    User user(String uid, String... settings) {
        AdminRequest create = AdminRequest.of(SdkHttpMethod.PUT, "/admin/user")
                .with("uid", uid)
                .with("display-name", uid)
                .with("format", "json");
        for (int i = 0; i < settings.length; i += 2) {
            create = create.with(settings[i], settings[i + 1]);
        }
        try {
            byte[] _ = admin.send(call(), "create the user " + uid, create);
        } catch (Taken exists) {
            // As wanted.
        }
        Credentials.AccessKey key = key(uid);
        return new User(uid, clients.s3(SecretValue.of(key.id()), key.secret()));
    }

    /** The first key of a user. */
    Credentials.AccessKey key(String uid) {
        byte[] response = admin.send(
                call(),
                "read the user " + uid,
                AdminRequest.of(SdkHttpMethod.GET, "/admin/user")
                        .with("uid", uid)
                        .with("format", "json"));
        JsonNode key = JsonNode.parser()
                .parse(new String(response, StandardCharsets.UTF_8))
                .field("keys")
                .orElseThrow()
                .asArray()
                .getFirst();
        return new Credentials.AccessKey(
                key.field("access_key").orElseThrow().asString(),
                SecretValue.of(key.field("secret_key").orElseThrow().asString()));
    }

    /** The user whose key the store uses. */
    String administrator() {
        return ADMINISTRATOR;
    }

    @Override
    public boolean verifiesPrincipals() {
        return true;
    }

    /** The account that owns the bucket. */
    S3Client account(BucketName bucket) {
        return identity.clients().find(call(), bucket);
    }

    @Override
    public void close() {
        servers.close();
    }

    private Buckets buckets(BucketName bucket) {
        return new Buckets(account(bucket), access.region());
    }

    private static Optional<Boolean> exists(Supplier<Boolean> setting) {
        try {
            return Optional.of(setting.get());
        } catch (S3Exception e) {
            if (e.statusCode() != NOT_FOUND) {
                throw e;
            }
            return Optional.of(false);
        }
    }

    /** The store with other parameters. */
    BucketStore open(Map<String, String> changed) {
        return open(changed, new Credentials.AccessKey(access.accessKeyId(), SecretValue.of(access.secretAccessKey())));
    }

    /** The store with other parameters and another administrator. */
    BucketStore open(Map<String, String> changed, Credentials.AccessKey key) {
        Map<String, String> parameters = new HashMap<>(parameters());
        parameters.putAll(changed);
        return factory.open(
                factory.parameters().parse(parameters),
                new AdministratorSecret(Map.of(
                        "AWS_ACCESS_KEY_ID", SecretValue.of(key.id()),
                        "AWS_SECRET_ACCESS_KEY", key.secret())));
    }

    private BucketStore open(Map<String, String> parameters, String secretKey) {
        return factory.open(factory.parameters().parse(parameters), secret(secretKey));
    }

    private AdministratorSecret secret(String secretKey) {
        return new AdministratorSecret(Map.of(
                "AWS_ACCESS_KEY_ID", SecretValue.of(access.accessKeyId()),
                "AWS_SECRET_ACCESS_KEY", SecretValue.of(secretKey)));
    }

    static StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(20));
    }

    /** Resolves the gateway as a parameter of tests. */
    static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == CephGateway.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(CephGateway.class))
                    .computeIfAbsent(
                            CephGateway.class,
                            key -> new CephGateway(LocalStore.start(StoreKind.CEPH)),
                            CephGateway.class);
        }
    }
}
