package io.bucketwright.cosi.driver;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.Adopting;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.StoreFactory;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.Parameter;
import io.bucketwright.store.parameters.ParameterSchema;
import io.bucketwright.store.parameters.Parameters;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A store that writes down what it is asked, and does what a test tells it. */
final class RecordingStore implements StoreFactory, Adopting {

    final CopyOnWriteArrayList<Object> requests = new CopyOnWriteArrayList<>();
    final CopyOnWriteArrayList<AdministratorSecret> administrators = new CopyOnWriteArrayList<>();
    final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger keys = new AtomicInteger();
    volatile Set<Capability> capabilities = Set.of(Capability.values());
    final AtomicInteger slices = new AtomicInteger();
    volatile Consumer<StoreCall> happens = _ -> {};
    volatile Consumer<StoreCall> updating = _ -> {};

    @Override
    public String name() {
        return "recording";
    }

    @Override
    public ParameterSchema parameters() {
        return ParameterSchema.of(
                Parameter.optional("endpoint", "Where it is.").checkedBy(Endpoint::parse),
                Parameter.optional("caBundle", "What is trusted."),
                Parameter.optional("zone", "Which part."));
    }

    @Override
    public BucketStore open(Parameters parameters, AdministratorSecret administrator) {
        administrators.add(administrator);
        return this;
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        note(call, request);
        return new ProvisionedBucket(connection(request.bucket()), Credentials.NONE);
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        note(call, request);
        return new ProvisionedBucket(
                connection(request.bucket()),
                new Credentials.AccessKey("KEY" + keys.incrementAndGet(), SecretValue.of("secret-of-the-key"))
                        .credentials());
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        note(call, request);
        return slices.getAndDecrement() > 0 ? new Progress.More(1) : new Progress.Done();
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        note(call, owner);
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        requests.add(request);
        updating.accept(call);
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        note(call, request);
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }

    <T> T last(Class<T> type) {
        return Optional.of(requests.getLast()).map(type::cast).orElseThrow();
    }

    private void note(StoreCall call, Object request) {
        requests.add(request);
        happens.accept(call);
    }

    private static Connection connection(BucketName bucket) {
        return Connection.s3(bucket, new Endpoint(false, "s3.example.com", 9000), "eu-1");
    }

    static Map<String, SecretValue> secret(String value) {
        return Map.of("key", SecretValue.of(value));
    }
}
