package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.Progress;
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
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOption.Versioning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.Permission;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gives the conformance tests access to an S3 store whose administrator can use every bucket. */
public class S3UnderTest implements StoreUnderTest {

    private final StoreAdministrator administrator;
    private final S3StoreFactory factory = new S3StoreFactory();

    public S3UnderTest(StoreAdministrator administrator) {
        this.administrator = administrator;
    }

    public final StoreAdministrator administrator() {
        return administrator;
    }

    /** The client with which these tests use a bucket. */
    protected S3Client s3(BucketName bucket) {
        return administrator.s3();
    }

    private SessionBucket sessionBucket(BucketName bucket) {
        return new SessionBucket(call(), s3(bucket), bucket);
    }

    private Buckets buckets(BucketName bucket) {
        return new Buckets(
                sessionBucket(bucket),
                Objects.requireNonNull(administrator.parameters().get("region")));
    }

    @Override
    public CompleteStore store() {
        return open(Map.of());
    }

    @Override
    public CompleteStore storeWithInvalidCredentials() {
        return open(Map.of(), administrator.secret("not-the-secret-of-this-key"));
    }

    @Override
    public Optional<BucketStore> storeAt(String endpoint) {
        return Optional.of(open(Map.of("endpoint", endpoint, "iamEndpoint", endpoint, "readTimeout", "60s")));
    }

    @Override
    public Optional<BucketStore> storeFailingAfter(int requests) {
        ExecutionInterceptor failing = new FailingInterceptor(requests);
        return Optional.of(factory.open(
                factory.parameters().parse(administrator.parameters()), administrator.secret(), List.of(failing)));
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        return new S3Application(bucket);
    }

    @Override
    public Optional<ObjectClient> anonymous(BucketName bucket) {
        return Optional.of(new AnonymousClient(
                Objects.requireNonNull(administrator.parameters().get("endpoint")), bucket.text()));
    }

    @Override
    public void createBucket(BucketName bucket) {
        s3(bucket).createBucket(request -> request.bucket(bucket.text()));
    }

    @Override
    public void deleteBucket(BucketName bucket) {
        try {
            BucketContents contents = new BucketContents(sessionBucket(bucket));
            while (contents.deleteSlice() instanceof Progress.More) {
                // Continue until the bucket is empty.
            }
            buckets(bucket).delete();
        } catch (NotFound alreadyDeleted) {
            // Nothing to do.
        }
    }

    /** By HEAD and not by the tags: MinIO keeps those in memory, sometimes longer than the bucket. */
    @Override
    public boolean bucketExists(BucketName bucket) {
        try {
            s3(bucket).headBucket(request -> request.bucket(bucket.text()));
            return true;
        } catch (S3Exception e) {
            assertThat(e.statusCode()).isEqualTo(404);
            return false;
        }
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return buckets(bucket).tags().orElseThrow();
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {
        buckets(bucket).addTags(Map.of(key, value));
    }

    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        s3(bucket)
                .putBucketVersioning(request -> request.bucket(bucket.text())
                        .versioningConfiguration(
                                configuration -> configuration.status(BucketVersioningStatus.ENABLED)));
        for (String text : List.of("first", "second")) {
            s3(bucket)
                    .putObject(
                            request -> request.bucket(bucket.text()).key("folder/versions"),
                            RequestBody.fromString(text));
        }
        s3(bucket).deleteObject(request -> request.bucket(bucket.text()).key("folder/versions"));
        s3(bucket)
                .createMultipartUpload(request -> request.bucket(bucket.text()).key("incomplete"));
        return true;
    }

    @Override
    public Optional<Boolean> isSet(BucketName bucket, BucketOption option) {
        S3Client s3 = s3(bucket);
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
            case Lifecycle _ ->
                exists(() -> s3.getBucketLifecycleConfiguration(request -> request.bucket(name))
                        .hasRules());
            case OwningUser _, Quota _, Policy _ -> Optional.empty();
        };
    }

    @Override
    public boolean verifiesPrincipals() {
        return true;
    }

    /** Whether a setting is there; a store answers 404 if it is not. */
    protected static Optional<Boolean> exists(Supplier<Boolean> setting) {
        try {
            return Optional.of(setting.get());
        } catch (S3Exception e) {
            assertThat(e.statusCode()).isEqualTo(404);
            return Optional.of(false);
        }
    }

    /** The class parameters with some changes. */
    public final Map<String, String> parameters(Map<String, String> changed) {
        Map<String, String> parameters = new HashMap<>(administrator.parameters());
        parameters.putAll(changed);
        return parameters;
    }

    /** A store with other class parameters. */
    public final CompleteStore open(Map<String, String> changed) {
        return open(changed, administrator.secret());
    }

    /** A store with other class parameters and another Secret. */
    public final CompleteStore open(Map<String, String> changed, AdministratorSecret secret) {
        return factory.open(factory.parameters().parse(parameters(changed)), secret);
    }
}
