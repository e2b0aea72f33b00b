package io.bucketwright.cosi.sidecar.released;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.AccessController.DriverPort;
import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.core.BucketGrants;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.sidecar.driver.ProvisionerSecret;
import io.bucketwright.cosi.vendors.StubVendorDriver;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.cosi.vendors.VendorCluster;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The access half of a sidecar on an API server in memory, with the stub of a vendor's driver. Everything happens in the
 * calling thread, and time passes only when a test lets it.
 */
final class AccessWorld implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(40);
    static final String NAMESPACE = "apps";

    final InMemoryApiServer server = new InMemoryApiServer();
    final ManualTime time = new ManualTime();
    final Vendor vendor;
    final StubVendorDriver stub;
    /** All keys that the store ever issued. */
    final Set<String> everLive = new TreeSet<>();

    private final ManagedChannel channel;
    private ManualLeadership leadership = new ManualLeadership();
    private InMemoryProcess process;
    private ReleasedSidecarCaches caches;
    private long connection = 1;

    AccessWorld(Vendor vendor, Path folder) {
        this.vendor = vendor;
        this.stub = new StubVendorDriver(vendor, vendor.driverName(), folder, VendorCluster.withEverything(vendor));
        this.channel = SocketChannels.open(stub.socket());
        start();
        accessClass("readers");
    }

    /** Another process; the former one must have ended. */
    void start() {
        leadership = new ManualLeadership();
        process = new InMemoryProcess(server, time, leadership);
        caches = new ReleasedSidecarCaches(process.context().caches(), vendor.driverName());
        ReleasedDriver driver = new ReleasedDriver(
                channel, new CallSettings(vendor.driverName(), Duration.ofSeconds(20), new SimpleMeterRegistry()));
        ReleasedAccessRecord.register(
                process.context(),
                vendor.driverName(),
                caches,
                new DriverPort(
                        () -> driver,
                        this::preconditions,
                        () -> new Settings(DriverPreconditions.GRACE, caches.namesAreIds())),
                8);
        process.start();
    }

    private DriverPreconditions preconditions() {
        return new DriverPreconditions(
                new DriverState.Ready("cosi.v1alpha1", true, Set.of(Protocol.S3)),
                connection,
                new ProvisionerSecret.Usable("", Map.of()));
    }

    /** The process ends without finishing anything, and another one begins. */
    void restart() {
        leadership.lose();
        process.close();
        start();
    }

    void settle() {
        process.settle();
        everLive.addAll(stub.backend().liveKeys());
    }

    /** Lets time pass; everybody works. */
    void pass(Duration duration) {
        settle();
        long end = time.nanos() + duration.toNanos();
        while (time.nanos() < end) {
            long before = time.nanos();
            if (!time.advanceToNextTimer() || time.nanos() == before) {
                time.advance(Duration.ofSeconds(1));
            }
            settle();
        }
    }

    /** A claim that is bound to a Bucket that is ready. */
    BucketClaim claim(String name) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(
                metadata(name).withFinalizers(ReleasedNames.CLAIM_FINALIZER).build());
        claim.setSpec(new BucketClaimSpec("photos", List.of("S3"), ""));
        BucketClaim created = server.create(claim);
        String bucketName = ReleasedNames.bucketOf(created.getMetadata().getUid());
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(bucketName)
                .withFinalizers(ReleasedNames.BUCKET_FINALIZER)
                .build());
        bucket.setSpec(new ReleasedBucketSpec(
                vendor.driverName(),
                "photos",
                new ObjectReferenceBuilder()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .withUid(created.getMetadata().getUid())
                        .build(),
                List.of("S3"),
                vendor.bucketParameters(),
                "Retain",
                ""));
        String id = ProvisionerGrpc.newBlockingStub(channel)
                .driverCreateBucket(DriverCreateBucketRequest.newBuilder()
                        .setName(bucketName)
                        .putAllParameters(vendor.bucketParameters())
                        .build())
                .getBucketId();
        bucket.setStatus(new ReleasedBucketStatus(true, id));
        server.create(bucket);
        server.edit(
                BucketClaim.class, NAMESPACE, name, bound -> bound.setStatus(new BucketClaimStatus(true, bucketName)));
        return created;
    }

    ReleasedBucketAccessClass accessClass(String name) {
        ReleasedBucketAccessClass accessClass = new ReleasedBucketAccessClass();
        accessClass.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withAnnotations(Map.of(ReleasedNames.ROTATION_OVERLAP, "30m"))
                .build());
        accessClass.setDriverName(vendor.driverName());
        accessClass.setAuthenticationType("Key");
        accessClass.setParameters(vendor.accessParameters());
        return server.create(accessClass);
    }

    ReleasedBucketAccess access(String name, String claim) {
        ReleasedBucketAccess access = new ReleasedBucketAccess();
        access.setMetadata(metadata(name).build());
        access.setSpec(new ReleasedAccessSpec(claim, "S3", "readers", name + "-secret", ""));
        return server.create(access);
    }

    private static ObjectMetaBuilder metadata(String name) {
        return new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name);
    }

    Optional<ReleasedBucketAccess> find(String name) {
        return server.get(ReleasedBucketAccess.class, NAMESPACE, name);
    }

    void edit(String access, Consumer<ReleasedBucketAccess> change) {
        server.edit(ReleasedBucketAccess.class, NAMESPACE, access, change);
    }

    void editSpec(String access, String claim, String accessClass, String secret) {
        edit(access, found -> found.setSpec(new ReleasedAccessSpec(claim, "S3", accessClass, secret, "")));
    }

    void delete(String access) {
        server.delete(ReleasedBucketAccess.class, NAMESPACE, access);
    }

    ReleasedBucket bucketOf(String claim) {
        BucketClaim found = server.get(BucketClaim.class, NAMESPACE, claim).orElseThrow();
        return server.get(ReleasedBucket.class, "", found.status().bucketName()).orElseThrow();
    }

    /** All grants of all Buckets. */
    List<Grant> grants() {
        return server.list(ReleasedBucket.class).stream()
                .map(bucket -> BucketGrants.of(Metadata.annotation(bucket, ReleasedNames.GRANTS)))
                .flatMap(grants -> grants.ledger().grants().stream())
                .toList();
    }

    Set<String> liveKeys() {
        return stub.backend().liveKeys();
    }

    Optional<Secret> secret(String name) {
        return server.get(Secret.class, NAMESPACE, name);
    }

    /** The BucketInfo of a Secret; empty if there is none. */
    String info(String name) {
        return secret(name)
                .map(found -> found.getData().getOrDefault(ReleasedNames.BUCKET_INFO, ""))
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8))
                .orElse("");
    }

    /** Whether the Secret has a key that works. */
    boolean works(String secret) {
        String info = info(secret);
        return liveKeys().stream().anyMatch(key -> info.contains('"' + key + '"'));
    }

    boolean isGranted(String access) {
        return find(access).filter(found -> found.status().accessGranted()).isPresent();
    }

    List<String> events() {
        return process.events().stream()
                .map(event -> event.getReason() + ": " + event.getNote())
                .toList();
    }

    List<String> writes() {
        return process.writes();
    }

    /** The names of the accesses that have to do with the Bucket. */
    List<String> accessesOf(ReleasedBucket bucket) {
        return caches.accessesOf(bucket)
                .map(access -> access.getMetadata().getName())
                .toList();
    }

    long grantCalls() {
        return stub.requests(DriverGrantBucketAccessRequest.class).size();
    }

    List<String> revokedIds() {
        return stub.requests(DriverRevokeBucketAccessRequest.class).stream()
                .map(DriverRevokeBucketAccessRequest::getAccountId)
                .toList();
    }

    /** Fails calls of this kind as long as the failure says so. */
    void failBefore(Class<? extends Message> call, Status status, BooleanSupplier failing) {
        stub.beforeEffect(request -> {
            if (call.isInstance(request) && failing.getAsBoolean()) {
                throw status.asRuntimeException();
            }
        });
    }

    /** The driver does its work, and the answer is an error, that many times. */
    void failAfter(Class<? extends Message> call, Status status, int times) {
        int[] left = {times};
        stub.afterEffect(request -> {
            if (call.isInstance(request) && left[0]-- > 0) {
                everLive.addAll(liveKeys());
                throw status.asRuntimeException();
            }
        });
    }

    <T extends HasMetadata> void editAny(Class<T> type, String namespace, String name, Consumer<T> change) {
        server.edit(type, namespace, name, change);
    }

    @Override
    public void close() {
        process.close();
        channel.shutdownNow();
        stub.close();
    }
}
