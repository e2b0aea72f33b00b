package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.proto.csi.NodeGrpc;
import io.bucketwright.cosi.proto.csi.NodeGrpc.NodeBlockingStub;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.NodeUnpublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.VolumeCapability;
import io.bucketwright.cosi.sidecar.SidecarBench;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The adapter's calls one by one, as kubelet would make them, in a folder that is no kubelet's. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class NodeServiceIT {

    @TempDir
    private Path kubelet;

    @Test
    void withoutItsCsiDriverOrWithAnotherItDoesNotStart(TestCluster cluster) {
        ApiUser user = cluster.user("adapter");
        CosiAdapter.Builder builder = builder(cluster, user);
        assertThatThrownBy(builder::start)
                .isInstanceOf(CosiAdapter.Refused.class)
                .hasMessageContaining("does not exist");
        Resource<CSIDriver> driver = cluster.admin().resource(driver(cluster, false));
        driver.create();
        try {
            assertThatThrownBy(builder::start)
                    .isInstanceOf(CosiAdapter.Refused.class)
                    .hasMessageContaining("podInfoOnMount must be true");
            assertThat(kubelet.resolve("plugins_registry")).doesNotExist();
        } finally {
            driver.delete();
        }
    }

    @Test
    void aCsiDriverThatIsChangedLaterStopsWhatIsNew(TestCluster cluster) throws InterruptedException {
        SidecarBench.install(cluster.admin());
        Resource<CSIDriver> driver = cluster.admin().resource(driver(cluster, true));
        driver.create();
        ManagedChannel channel = channel(cluster);
        try (CosiAdapter _ = builder(cluster, cluster.user("adapter")).start()) {
            driver.edit(it -> {
                it.getSpec().setPodInfoOnMount(false);
                return it;
            });
            Awaitility.await("the refusal")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> code(() -> node(channel).nodePublishVolume(publish(cluster, "first")))
                            == Status.Code.FAILED_PRECONDITION);
        } finally {
            channel.shutdownNow();
            driver.delete();
        }
    }

    @Test
    void whatIsWrongIsRefusedAndAnUnknownRequestIsToldAfterTheWait(TestCluster cluster) throws InterruptedException {
        SidecarBench.install(cluster.admin());
        Resource<CSIDriver> driver = cluster.admin().resource(driver(cluster, true));
        driver.create();
        ManagedChannel channel = channel(cluster);
        try (CosiAdapter _ = builder(cluster, cluster.user("adapter")).start()) {
            NodePublishVolumeRequest request = publish(cluster, "first");
            assertThat(code(() -> node(channel)
                            .nodePublishVolume(
                                    request.toBuilder().setTargetPath("/etc").build())))
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThatThrownBy(() -> node(channel).nodePublishVolume(request))
                    .hasMessageContaining("UNAVAILABLE")
                    .hasMessageContaining("There is no BucketAccessRequest " + cluster.namespace() + "/photos");
            assertThat(code(() -> node(channel).nodeUnpublishVolume(unpublish("/etc"))))
                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(code(() -> node(channel).nodeUnpublishVolume(unpublish(target().toString()))))
                    .as("what was never published is unpublished")
                    .isEqualTo(Status.Code.OK);
        } finally {
            channel.shutdownNow();
            driver.delete();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "user.name", matches = "root", disabledReason = "mounting needs root")
    void publishingAndUnpublishingTwiceIsAsGoodAsOnceAndARestartRemembers(TestCluster cluster) throws Exception {
        SidecarBench.install(cluster.admin());
        Resource<CSIDriver> driver = cluster.admin().resource(driver(cluster, true));
        driver.create();
        ManagedChannel channel = channel(cluster);
        TargetPath target = new TargetPath(target());
        TmpfsMounts mounts = new TmpfsMounts();
        CosiAdapter adapter = builder(cluster, cluster.user("adapter")).start();
        try {
            Files.createDirectories(target().getParent());
            BucketAccessRequest request = request(cluster);
            CompletableFuture<Status.Code> waiting = CompletableFuture.supplyAsync(
                    () -> code(() -> node(channel).nodePublishVolume(publish(cluster, "first"))),
                    // Not the common pool: it may have one thread, and fabric8 needs it.
                    task -> Thread.ofVirtual().start(task));
            bind(cluster, request);
            assertThat(waiting.join()).as("it waited for Bound").isEqualTo(Status.Code.OK);
            assertThat(mounts.isOurs(target)).isTrue();
            assertThat(target().resolve("AWS_SECRET_ACCESS_KEY")).hasContent("first");
            node(channel).nodePublishVolume(publish(cluster, "first"));
            adapter.close();
            adapter = builder(cluster, cluster.user("adapter-again")).start();
            cluster.admin().resource(request).delete();
            node(channel).nodePublishVolume(publish(cluster, "second"));
            assertThat(target().resolve("AWS_SECRET_ACCESS_KEY")).hasContent("second");
            node(channel).nodeUnpublishVolume(unpublish(target().toString()));
            node(channel).nodeUnpublishVolume(unpublish(target().toString()));
            assertThat(mounts.isAny(target)).isFalse();
            assertThat(target()).doesNotExist();
        } finally {
            mounts.unmount(target);
            adapter.close();
            channel.shutdownNow();
            driver.delete();
        }
    }

    private CosiAdapter.Builder builder(TestCluster cluster, ApiUser user) {
        return CosiAdapter.builder()
                .client(user.config())
                .driver(name(cluster))
                .node("node")
                .kubelet(kubelet)
                .patience(Duration.ofSeconds(5));
    }

    private ManagedChannel channel(TestCluster cluster) {
        return SocketChannels.open(
                new SocketPath(kubelet.resolve("plugins").resolve(name(cluster)).resolve("csi.sock")));
    }

    private static NodeBlockingStub node(ManagedChannel channel) {
        return NodeGrpc.newBlockingStub(channel).withWaitForReady();
    }

    private Path target() {
        return kubelet.resolve("pods/uid/volumes/kubernetes.io~csi/bucket/mount");
    }

    private NodePublishVolumeRequest publish(TestCluster cluster, String key) {
        return NodePublishVolumeRequest.newBuilder()
                .setTargetPath(target().toString())
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().setVolumeMountGroup("2000")))
                .putSecrets("AWS_SECRET_ACCESS_KEY", key)
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("csi.storage.k8s.io/pod.namespace", cluster.namespace())
                .putVolumeContext("bucketAccessRequestName", "photos")
                .build();
    }

    private static NodeUnpublishVolumeRequest unpublish(String target) {
        return NodeUnpublishVolumeRequest.newBuilder().setTargetPath(target).build();
    }

    private static BucketAccessRequest request(TestCluster cluster) {
        BucketAccessRequest request = new BucketAccessRequest();
        request.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName("photos")
                .build());
        request.setSpec(Specs.of(
                BucketAccessRequestSpec.class,
                "bucketRequestName",
                "photos",
                "bucketAccessClassName",
                "some",
                "accessSecretName",
                "photos"));
        return cluster.admin().resource(request).create();
    }

    private static void bind(TestCluster cluster, BucketAccessRequest request) {
        cluster.admin().resource(request).editStatus(it -> {
            it.setStatus(new CosiStatus("Bound", "", List.of(), null));
            return it;
        });
    }

    private static CSIDriver driver(TestCluster cluster, boolean podInfo) {
        return new CSIDriverBuilder()
                .withNewMetadata()
                .withName(name(cluster))
                .endMetadata()
                .withNewSpec()
                .withVolumeLifecycleModes("Ephemeral")
                .withPodInfoOnMount(podInfo)
                .withAttachRequired(false)
                .withRequiresRepublish(true)
                .withFsGroupPolicy("File")
                .endSpec()
                .build();
    }

    /** Short, because a socket's path is. */
    private static String name(TestCluster cluster) {
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
