package io.bucketwright.store.s3;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.Progress;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.contract.ObjectClient;
import io.bucketwright.store.contract.StoreUnderTest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/** versitygw, as the contract wants to see it. */
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
    public BucketStore storeWithWrongKeys() {
        return open(gateway.parameters(), gateway.secret("not-the-secret-of-this-key"));
    }

    @Override
    public BucketStore storeThatIsDown() {
        Map<String, String> nowhere = new HashMap<>(gateway.parameters());
        nowhere.put("endpoint", "http://127.0.0.1:1");
        nowhere.put("iamEndpoint", "http://127.0.0.1:1");
        return open(nowhere, gateway.administrator());
    }

    @Override
    public Optional<BucketStore> storeThatDiesAfter(int requests) {
        ExecutionInterceptor death = new DiesAfter(requests);
        return Optional.of(factory.open(
                factory.parameters().parse(gateway.parameters()), gateway.administrator(), List.of(death)));
    }

    @Override
    public ObjectClient application(ProvisionedBucket made) {
        return new S3Application(made);
    }

    @Override
    public void makeBucket(BucketName bucket) {
        gateway.s3().createBucket(request -> request.bucket(bucket.text()));
    }

    @Override
    public void removeBucket(BucketName bucket) {
        try {
            Contents contents = new Contents(gateway.s3());
            while (contents.wipe(call(), bucket) instanceof Progress.More) {
                // Until it is empty.
            }
            buckets.delete(call(), bucket);
        } catch (NotFound gone) {
            // As wanted.
        }
    }

    @Override
    public boolean bucketExists(BucketName bucket) {
        return buckets.mark(call(), bucket).isPresent();
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
    public boolean leaveTraces(BucketName bucket) {
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
                .createMultipartUpload(request -> request.bucket(bucket.text()).key("unfinished"));
        return true;
    }

    private BucketStore open(Map<String, String> parameters, AdministratorSecret administrator) {
        return factory.open(factory.parameters().parse(parameters), administrator);
    }

    private static StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(20));
    }
}
