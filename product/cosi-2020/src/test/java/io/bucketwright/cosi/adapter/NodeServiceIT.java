package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.cosi.proto.csi.NodeGrpc;
import io.bucketwright.cosi.proto.csi.NodeGrpc.NodeBlockingStub;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.NodeUnpublishVolumeRequest;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The adapter's calls one by one, as kubelet makes them, in a temporary directory. */
@OnCluster
class NodeServiceIT {

    @TempDir
    private Path kubelet;

    private TestCluster cluster;
    private ManagedChannel channel;
    private int adapters;
    private String uid = "uid";

    @BeforeEach
    void open(TestCluster testCluster) {
        cluster = testCluster;
        cluster.install(Crds.cosi());
        channel = SocketChannels.open(
                new SocketPath(kubelet.resolve("plugins").resolve(name()).resolve("csi.sock")));
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        AdapterSamples.deleteAccess(cluster);
        cluster.admin().resource(csiDriver()).delete();
    }

    @Test
    void anAdapterDoesNotStartWithoutAValidCsiDriver() {
        assertRefused("does not exist");
        CSIDriver invalid = csiDriver();
        invalid.getSpec().setPodInfoOnMount(false);
        cluster.admin().resource(invalid).create();
        assertRefused("podInfoOnMount must be true");
        assertThat(kubelet.resolve("plugins_registry")).doesNotExist();
    }

    @Test
    void aCsiDriverThatBecomesInvalidPreventsNewVolumes() {
        try (ControllerProcess _ = startAdapter()) {
            cluster.edit(csiDriver(), driver -> driver.getSpec().setPodInfoOnMount(false));
            Awaitility.await("the refusal")
                    .atMost(Duration.ofMinutes(1))
                    .until(() ->
                            code(() -> node().nodePublishVolume(publish("first"))) == Status.Code.FAILED_PRECONDITION);
        }
    }

    @Test
    void invalidCallsAreRejectedAndAMissingRequestIsReportedAfterTheWait() {
        try (ControllerProcess _ = startAdapter()) {
            NodePublishVolumeRequest request = publish("first");
            NodePublishVolumeRequest elsewhere =
                    request.toBuilder().setTargetPath("/etc").build();
            assertThat(code(() -> node().nodePublishVolume(elsewhere))).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThatThrownBy(() -> node().nodePublishVolume(request))
                    .hasMessageContaining("UNAVAILABLE")
                    .hasMessageContaining("There is no BucketAccessRequest " + cluster.namespace() + "/photos");
            assertThat(code(() -> node().nodeUnpublishVolume(unpublish("/etc"))))
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(code(() -> node().nodeUnpublishVolume(unpublish(target().toString()))))
                    .as("a volume that was never published")
                    .isEqualTo(Status.Code.OK);
        }
    }

    @Test
    void aVolumeWithAnotherSecretThanThatOfItsAccessIsRejected() {
        try (ControllerProcess _ = startAdapter()) {
            createPod("other");
            AdapterSamples.bind(cluster, AdapterSamples.createRequest(cluster));
            assertThatThrownBy(() -> node().nodePublishVolume(publish("first")))
                    .hasMessageContaining("FAILED_PRECONDITION")
                    .hasMessageContaining("must name Secret photos")
                    .hasMessageContaining("names other");
            assertThat(target()).doesNotExist();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "user.name", matches = "root", disabledReason = "mounting needs root")
    void publishingAndUnpublishingAreIdempotentAlsoAfterARestart() throws Exception {
        createPod("photos");
        TargetPath target = TargetPath.of(target().toString(), kubelet.resolve("pods"));
        try {
            failThenPublishTwiceAndUnpublishTwice();
        } finally {
            mounts().remove(target);
        }
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(kubelet.toString());
    }

    private void failThenPublishTwiceAndUnpublishTwice() throws Exception {
        Files.createDirectories(target().getParent());
        try (ControllerProcess _ = startAdapter()) {
            BucketAccessRequest request = AdapterSamples.createRequest(cluster);
            CompletableFuture<Status.Code> waiting = CompletableFuture.supplyAsync(
                    () -> code(() -> node().nodePublishVolume(publish("first"))),
                    // Not the common pool: it may have one thread, and fabric8 needs it.
                    task -> Thread.ofVirtual().start(task));
            AdapterSamples.bind(cluster, request);
            assertThat(waiting.join()).as("it waited for Bound").isEqualTo(Status.Code.OK);
            assertThat(MountEntry.at(target())).hasSize(1).allMatch(MountEntry::readOnly);
            assertThat(target().resolve("AWS_SECRET_ACCESS_KEY")).hasContent("first");
            Path set = target().resolve("..data").toRealPath();
            node().nodePublishVolume(publish("first"));
            assertThat(target().resolve("..data").toRealPath())
                    .as("the same again")
                    .isEqualTo(set);
            node().nodeUnpublishVolume(unpublish(target().toString()));

            // As a file and in BucketInfo.json, this is more than the volume can have.
            NodePublishVolumeRequest large = publish("\u0001".repeat(3_000_000)).toBuilder()
                    .putSecrets("AWS_ACCESS_KEY_ID", "id")
                    .build();
            assertThat(code(() -> node().nodePublishVolume(large))).isEqualTo(Status.Code.INTERNAL);
            assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
                    .as("mounts after a failure")
                    .doesNotContain(kubelet.toString());
            assertThat(target()).doesNotExist();
            node().nodePublishVolume(publish("first"));
            cluster.admin().resource(request).delete();
        }
        try (ControllerProcess _ = startAdapter()) {
            node().nodePublishVolume(publish("second"));
            assertThat(target().resolve("AWS_SECRET_ACCESS_KEY")).hasContent("second");
            node().nodeUnpublishVolume(unpublish(target().toString()));
            node().nodeUnpublishVolume(unpublish(target().toString()));
            assertThat(MountEntry.at(target())).isEmpty();
            assertThat(target()).doesNotExist();
        }
    }

    private VolumeMounts mounts() {
        return new VolumeMounts(kubelet.resolve("plugins").resolve(name()).resolve("volumes"));
    }

    /** A pod that no node runs. */
    private void createPod(String secret) {
        uid = cluster.createPod("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: application}
                        spec:
                          nodeSelector: {bucketwright.io/none: "true"}
                          containers: [{name: application, image: bucketwright.local/none}]
                          volumes:
                          - name: bucket
                            csi: {driver: cosi.bucketwright.io, readOnly: true, nodePublishSecretRef: {name: SECRET}}
                        """.replace("SECRET", secret))
                .require()
                .getMetadata()
                .getUid();
    }

    private void assertRefused(String message) {
        ControllerProcess adapter = adapter();
        assertThatThrownBy(adapter::start)
                .isInstanceOf(CosiAdapter.Refused.class)
                .hasMessageContaining(message);
    }

    /** Creates the CSIDriver and starts an adapter. */
    private ControllerProcess startAdapter() {
        cluster.admin().resource(csiDriver()).forceConflicts().serverSideApply();
        return adapter().start();
    }

    private ControllerProcess adapter() {
        return ClientOptions.config(
                        CosiAdapter.builder(),
                        cluster.user("adapter-" + adapters++).config())
                .driver(name())
                .node("node")
                .kubelet(kubelet)
                .patience(Duration.ofSeconds(2))
                .build();
    }

    private NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel).withWaitForReady();
    }

    private Path target() {
        return kubelet.resolve("pods").resolve(uid).resolve("volumes/kubernetes.io~csi/bucket/mount");
    }

    private NodePublishVolumeRequest publish(String key) {
        return AdapterSamples.publish(target(), cluster.namespace(), key).build();
    }

    private static NodeUnpublishVolumeRequest unpublish(String target) {
        return NodeUnpublishVolumeRequest.newBuilder().setTargetPath(target).build();
    }

    private CSIDriver csiDriver() {
        return AdapterSamples.csiDriver(name());
    }

    /** Short, because the path of a socket is limited. */
    private String name() {
        String namespace = cluster.namespace();
        return "x" + namespace.substring(namespace.length() - 4) + ".test";
    }

    private static Status.Code code(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }
}
