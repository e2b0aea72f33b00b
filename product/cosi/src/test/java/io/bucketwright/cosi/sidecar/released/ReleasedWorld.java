package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimSpec;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.controller.claims.InMemoryClaims;
import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.vendors.StubVendorDriver;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.cosi.vendors.VendorCluster;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.testing.Eventually;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster in memory with the stub of a vendor's driver. Sidecars and controllers run when the test lets them, on a clock that
 * the test sets.
 */
final class ReleasedWorld implements AutoCloseable {

    static final String NAMESPACE = "apps";
    private static final String DRIVER = "driver.example.com";

    final InMemoryApiServer server = new InMemoryApiServer();
    final ManualTime time = new ManualTime();
    final Vendor vendor;
    final StubVendorDriver driver;
    private final List<Runnable> ends = new ArrayList<>();

    ReleasedWorld(Vendor vendor, Path folder) {
        this(vendor, new StubVendorDriver(vendor, DRIVER, folder, VendorCluster.withEverything(vendor)));
        ends.add(driver::close);
    }

    private ReleasedWorld(Vendor vendor, StubVendorDriver driver) {
        this.vendor = vendor;
        this.driver = driver;
    }

    /** Another cluster with the same store. */
    ReleasedWorld anotherCluster() {
        ReleasedWorld other = new ReleasedWorld(vendor, driver);
        // Servers in memory count their uids: those of one cluster are never those of another.
        for (int used = 0; used < 100; used++) {
            other.lose(other.claim("used", "none"));
        }
        ends.add(other::close);
        return other;
    }

    InMemoryProcess sidecar(Leadership leadership) {
        return sidecar(leadership, Duration.ofMinutes(5));
    }

    InMemoryProcess sidecar(Leadership leadership, Duration timeout) {
        InMemoryProcess process = new InMemoryProcess(server, time, leadership);
        ManagedChannel channel = SocketChannels.open(driver.socket());
        CallSettings settings =
                new CallSettings(DRIVER, timeout, process.context().meters());
        DriverConnection connection =
                new DriverConnection(channel, List.of(DRIVER), List.of(new ReleasedDriver(channel, settings)), time);
        ReleasedContext context = new ReleasedContext(
                process.context(),
                DRIVER,
                1,
                new ReleasedSidecarCaches(process.context().caches(), DRIVER),
                connection,
                new Settings(DriverPreconditions.GRACE, false));
        ReleasedBucketController.register(context);
        ReleasedClaimController.register(context);
        connection.start();
        ends.add(process::close);
        ends.add(connection::close);
        Eventually.await("the driver").until(() -> connection.state() instanceof DriverState.Ready);
        return process.start();
    }

    InMemoryProcess controller() {
        InMemoryProcess process = new InMemoryProcess(server, time, Leadership.always());
        InMemoryClaims.register(process);
        ends.add(process::close);
        return process.start();
    }

    void bucketClass(String policy) {
        ReleasedBucketClass created = new ReleasedBucketClass();
        created.setMetadata(new ObjectMetaBuilder().withName("gold").build());
        created.setDriverName(DRIVER);
        created.setDeletionPolicy(policy);
        created.setParameters(vendor.bucketParameters());
        server.create(created);
    }

    BucketClaim claim(String name, String existing) {
        BucketClaim claim = new BucketClaim();
        claim.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        claim.setSpec(new BucketClaimSpec(existing.isEmpty() ? "gold" : "", List.of("S3"), existing));
        return server.create(claim);
    }

    /** A Bucket that an administrator makes by hand. */
    ReleasedBucket bucket(String name, ObjectReference claim, String policy, String existingId) {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
        bucket.setSpec(new ReleasedBucketSpec(
                DRIVER, "gold", claim, List.of("S3"), vendor.bucketParameters(), policy, existingId));
        return server.create(bucket);
    }

    static ObjectReference reference(String claim, String uid) {
        return new ObjectReferenceBuilder()
                .withNamespace(NAMESPACE)
                .withName(claim)
                .withUid(uid.isEmpty() ? null : uid)
                .build();
    }

    BucketClaim claim(String name) {
        return server.get(BucketClaim.class, NAMESPACE, name).orElseThrow();
    }

    ReleasedBucket bucket(String name) {
        return server.get(ReleasedBucket.class, "", name).orElseThrow();
    }

    boolean hasBucket(String name) {
        return server.get(ReleasedBucket.class, "", name).isPresent();
    }

    static String bucketName(BucketClaim claim) {
        return ReleasedNames.bucketOf(claim.getMetadata().getUid());
    }

    /** Runs the processes in turn until none of them has anything to do. */
    static void settle(InMemoryProcess... processes) {
        for (int round = 0; round < 6; round++) {
            for (InMemoryProcess process : processes) {
                process.settle();
            }
        }
    }

    /** Runs a process until it does not lead any more, and what it does then. */
    static void runUntilLost(InMemoryProcess process, ManualLeadership leadership) {
        for (int round = 0; round < 40; round++) {
            process.deliverNext();
            process.runNext();
        }
        if (leadership.held()) {
            throw new AssertionError("The process still leads: it did not do what was to be interrupted");
        }
    }

    /** Lets that much time pass, in steps in which the processes run. */
    void pass(Duration duration, InMemoryProcess... processes) {
        Duration step = duration.dividedBy(60);
        for (int steps = 0; steps < 60; steps++) {
            time.advance(step);
            settle(processes);
        }
    }

    /** The object as a backup has it, such as that of Velero: without uid and status, with finalizers and annotations. */
    <T extends HasMetadata> T backup(T object) {
        ObjectMeta metadata = object.getMetadata();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withAnnotations(metadata.getAnnotations())
                .withFinalizers(metadata.getFinalizers())
                .build());
        switch (object) {
            case ReleasedBucket bucket -> bucket.setStatus(null);
            case BucketClaim claim -> claim.setStatus(null);
            default -> throw new IllegalArgumentException(object.getKind());
        }
        return object;
    }

    /** Removes the object without a trace, as a lost cluster does. */
    void lose(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace() == null
                ? ""
                : object.getMetadata().getNamespace();
        server.edit(
                object.getClass(),
                namespace,
                object.getMetadata().getName(),
                found -> found.getMetadata().setFinalizers(List.of()));
        server.delete(object.getClass(), namespace, object.getMetadata().getName());
    }

    /** What the event of a restored Bucket asks an administrator for. */
    void confirm(String bucket) {
        annotate(
                bucket, ReleasedNames.USE_RESTORED, bucket(bucket).getMetadata().getUid());
    }

    void annotate(String bucket, String key, String value) {
        server.edit(ReleasedBucket.class, "", bucket, found -> {
            Map<String, String> all = new HashMap<>(found.getMetadata().getAnnotations());
            all.put(key, value);
            found.getMetadata().setAnnotations(all);
        });
    }

    static List<String> events(InMemoryProcess process) {
        return process.events().stream()
                .map(event -> event.getRegarding().getKind() + " " + event.getReason() + ": " + event.getNote())
                .toList();
    }

    @Override
    public void close() {
        ends.reversed().forEach(Runnable::run);
    }
}
