package io.bucketwright.cosi.v1alpha2;

import io.bucketwright.cosi.bench.V1alpha2StubDriver;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Calls;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.v1alpha2.controller.V1alpha2Controller;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2Sidecar;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of v1alpha2 on a server in memory, a driver, and processes that have both the controller and the sidecar. */
final class V1alpha2World implements AutoCloseable {

    static final String NAMESPACE = "team";
    static final String DRIVER = "driver.test";

    final InMemoryApiServer server = new InMemoryApiServer();
    final V1alpha2StubDriver driver = new V1alpha2StubDriver(DRIVER);
    private final ManualTime time = new ManualTime();
    private final List<Runnable> ends = new ArrayList<>();

    /** Starts the controller and the sidecar in one process. */
    InMemoryProcess process(ManualLeadership leadership) {
        InMemoryProcess process = new InMemoryProcess(server, time, leadership);
        V1alpha2Controller.register(process.context(), 1);
        ManagedChannel channel = SocketChannels.open(SocketPath.parse(driver.endpoint()));
        CallSettings settings = new CallSettings(
                DRIVER, Duration.ofSeconds(60), process.context().meters());
        DriverConnection connection =
                new DriverConnection(channel, List.of(DRIVER), V1alpha2Sidecar.dialects(channel, settings), time);
        V1alpha2Sidecar.register(process.context(), DRIVER, 1, connection, new V1alpha2Calls(channel, settings));
        connection.start();
        ends.add(process::close);
        ends.add(connection::close);
        Eventually.await("the driver").until(() -> connection.state() instanceof DriverState.Ready);
        return process.start();
    }

    void settle() {
        process(new ManualLeadership()).settle();
    }

    void bucketClass(String name, String deletionPolicy) {
        V1alpha2BucketClass bucketClass = named(new V1alpha2BucketClass(), name);
        bucketClass.setSpec(new V1alpha2BucketClass.BucketClassSpec(DRIVER, deletionPolicy, Map.of("tier", "gold")));
        server.create(bucketClass);
    }

    void accessClass(String name, List<String> disallowed, String multiple) {
        V1alpha2AccessClass accessClass = named(new V1alpha2AccessClass(), name);
        accessClass.setSpec(
                new V1alpha2AccessClass.AccessClassSpec(DRIVER, "Key", Map.of("team", "a"), disallowed, multiple));
        server.create(accessClass);
    }

    void claim(String name, String bucketClass, String existing) {
        V1alpha2Claim claim = named(new V1alpha2Claim(), name);
        claim.getMetadata().setNamespace(NAMESPACE);
        claim.setSpec(new V1alpha2Claim.ClaimSpec(bucketClass, existing, List.of("S3")));
        server.create(claim);
    }

    void access(String name, String accessClass, V1alpha2Access.ClaimAccess... claims) {
        V1alpha2Access access = named(new V1alpha2Access(), name);
        access.getMetadata().setNamespace(NAMESPACE);
        access.setSpec(new V1alpha2Access.AccessSpec(List.of(claims), accessClass, "S3", ""));
        server.create(access);
    }

    void bucket(String name, String existingId, V1alpha2Bucket.ClaimReference claim) {
        V1alpha2Bucket bucket = named(new V1alpha2Bucket(), name);
        bucket.setSpec(new V1alpha2Bucket.BucketSpec(DRIVER, "Retain", Map.of(), List.of("S3"), claim, existingId));
        server.create(bucket);
    }

    V1alpha2Claim claim(String name) {
        return server.get(V1alpha2Claim.class, NAMESPACE, name).orElseThrow();
    }

    V1alpha2Bucket bucketOf(String claim) {
        return server.get(V1alpha2Bucket.class, "", claim(claim).status().boundBucketName())
                .orElseThrow();
    }

    V1alpha2Access access(String name) {
        return server.get(V1alpha2Access.class, NAMESPACE, name).orElseThrow();
    }

    Optional<Map<String, String>> secret(String name) {
        return server.get(Secret.class, NAMESPACE, name).map(TestCluster::decoded);
    }

    String errorOf(V1alpha2Access access) {
        return StatusError.messageOf(access.status().error());
    }

    String errorOf(V1alpha2Claim claim) {
        return StatusError.messageOf(claim.status().error());
    }

    <T extends HasMetadata> void delete(Class<T> type, String name) {
        server.delete(type, NAMESPACE, name);
    }

    private static <T extends HasMetadata> T named(T object, String name) {
        object.setMetadata(new ObjectMetaBuilder().withName(name).build());
        return object;
    }

    @Override
    public void close() {
        ends.reversed().forEach(Runnable::run);
        driver.close();
    }
}
