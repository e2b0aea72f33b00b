package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.CannedAcl;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import io.bucketwright.store.options.BucketOption.ObjectLock;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.iam.IamPrincipals;
import io.bucketwright.store.s3.identity.AdministratorClient;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.Permission;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gives the conformance tests access to versitygw. */
final class VersityGateway implements StoreUnderTest {

    private final Gateway gateway;
    private final Buckets buckets;
    private final S3StoreFactory factory = new S3StoreFactory();

    VersityGateway(Gateway gateway) {
        this.gateway = gateway;
        this.buckets = new Buckets(gateway.s3(), gateway.access().region());
    }

    @Override
    public BucketStore store() {
        return open(gateway.parameters(), gateway.administrator());
    }

    @Override
    public BucketStore storeWithInvalidCredentials() {
        return open(gateway.parameters(), gateway.secret("not-the-secret-of-this-key"));
    }

    @Override
    public BucketStore unreachableStore() {
        Map<String, String> unreachable = new HashMap<>(gateway.parameters());
        unreachable.put("endpoint", "http://127.0.0.1:1");
        unreachable.put("iamEndpoint", "http://127.0.0.1:1");
        return open(unreachable, gateway.administrator());
    }

    @Override
    public Optional<BucketStore> storeFailingAfter(int requests) {
        ExecutionInterceptor failing = new FailingInterceptor(requests);
        return Optional.of(factory.open(
                factory.parameters().parse(gateway.parameters()), gateway.administrator(), List.of(failing)));
    }

    BucketStore storeWithSlice(Duration slice) {
        return new S3BucketStore(
                S3Parameters.of(factory.parameters().parse(gateway.parameters())),
                new Identity(
                        new IamPrincipals(
                                gateway.iam(),
                                S3Parameters.of(factory.parameters().parse(gateway.parameters()))
                                        .iam()),
                        new AdministratorClient(gateway.s3()),
                        BucketQuotas.unsupported(),
                        Set.of(Capability.QUOTA)),
                slice);
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return new S3Application(bucket);
    }

    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.of(new AnonymousClient(gateway.access().endpoint(), bucket.text()));
    }

    @Override
    public void createBucket(BucketName bucket) {
        gateway.s3().createBucket(request -> request.bucket(bucket.text()));
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        try {
            BucketContents contents = new BucketContents(gateway.s3());
            while (contents.deleteSlice(call(), bucket) instanceof Progress.More) {
                // Continue until the bucket is empty.
            }
            buckets.delete(call(), bucket);
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }

    @Override
    public boolean bucketExists(BucketName bucket) {
        return buckets.ownership(call(), bucket).isPresent();
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return buckets.tags(call(), bucket).orElseThrow();
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {
        buckets.addTags(call(), bucket, Map.of(key, value));
    }

    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        gateway.s3()
                .putBucketVersioning(request -> request.bucket(bucket.text())
                        .versioningConfiguration(
                                configuration -> configuration.status(BucketVersioningStatus.ENABLED)));
        for (String text : List.of("first", "second")) {
            gateway.s3()
                    .putObject(
                            request -> request.bucket(bucket.text()).key("folder/versions"),
                            RequestBody.fromString(text));
        }
        gateway.s3().deleteObject(request -> request.bucket(bucket.text()).key("folder/versions"));
        gateway.s3()
                .createMultipartUpload(request -> request.bucket(bucket.text()).key("incomplete"));
        return true;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        S3Client s3 = gateway.s3();
        String name = bucket.text();
        return switch (option) {
            case Versioning _ ->
                Optional.of(
                        s3.getBucketVersioning(request -> request.bucket(name)).status()
                                == BucketVersioningStatus.ENABLED);
            case Tags tags ->
                Optional.of(tags(bucket).entrySet().containsAll(tags.tags().entrySet()));
            case CannedAcl _ ->
                Optional.of(s3.getBucketAcl(request -> request.bucket(name)).grants().stream()
                        .anyMatch(grant -> grant.permission() == Permission.READ));
            case AnonymousAccess _ ->
                exists(() -> s3.getBucketPolicy(request -> request.bucket(name))
                        .policy()
                        .contains("s3:GetObject"));
            case Cors _ ->
                exists(() -> s3.getBucketCors(request -> request.bucket(name)).hasCorsRules());
            case ObjectLock _ ->
                exists(() -> s3.getObjectLockConfiguration(request -> request.bucket(name))
                                .objectLockConfiguration()
                                .objectLockEnabled()
                        == ObjectLockEnabled.ENABLED);
            case Quota _, Lifecycle _, Policy _ -> Optional.empty();
        };
    }

    private static Optional<Boolean> exists(Supplier<Boolean> setting) {
        try {
            return Optional.of(setting.get());
        } catch (S3Exception e) {
            assertThat(e.statusCode()).isEqualTo(404);
            return Optional.of(false);
        }
    }

    private BucketStore open(Map<String, String> parameters, AdministratorSecret administrator) {
        return factory.open(factory.parameters().parse(parameters), administrator);
    }

    private static StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(20));
    }
}
