package io.bucketwright.cosi.adapter;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketAccessSpec;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.proto.csi.NodePublishVolumeRequest;
import io.bucketwright.cosi.proto.csi.VolumeCapability;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import java.nio.file.Path;
import java.util.List;

/** Objects and requests of an adapter: the BucketAccessRequest and the Secret "photos". */
final class AdapterSamples {

    private AdapterSamples() {}

    /** A valid CSIDriver. */
    static CSIDriver csiDriver(String name) {
        return new CSIDriverBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withVolumeLifecycleModes("Ephemeral")
                .withPodInfoOnMount(true)
                .withAttachRequired(false)
                .withRequiresRepublish(true)
                .withFsGroupPolicy("File")
                .endSpec()
                .build();
    }

    static NodePublishVolumeRequest.Builder publish(Path target, String namespace, String key) {
        return NodePublishVolumeRequest.newBuilder()
                .setTargetPath(target.toString())
                .setReadonly(true)
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().setVolumeMountGroup("2000")))
                .putSecrets("AWS_SECRET_ACCESS_KEY", key)
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("csi.storage.k8s.io/pod.namespace", namespace)
                .putVolumeContext("csi.storage.k8s.io/pod.name", "application")
                .putVolumeContext("bucketAccessRequestName", "photos");
    }

    /** A BucketAccessRequest and its BucketAccess, which is not namespaced: delete it with {@link #deleteAccess}. */
    static BucketAccessRequest createRequest(TestCluster cluster) {
        BucketAccess access = new BucketAccess();
        access.setMetadata(new ObjectMetaBuilder().withName(cluster.namespace()).build());
        access.setSpec(Specs.of(
                BucketAccessSpec.class,
                "bucketAccessRequestName",
                "photos",
                "bucketAccessRequestNamespace",
                cluster.namespace(),
                "bucketAccessRequestUid",
                "uid",
                "bucketRequest",
                new BucketRequestRef(cluster.namespace(), "photos", "uid"),
                "applicationSecretName",
                "photos",
                "bucketName",
                "photos",
                "bucketUid",
                "uid",
                "provisioner",
                "store/adapter.test",
                "protocol",
                "s3"));
        cluster.admin().resource(access).create();
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
                "photos",
                "bucketAccessName",
                cluster.namespace()));
        return cluster.admin().resource(request).create();
    }

    static void deleteAccess(TestCluster cluster) {
        cluster.admin()
                .resources(BucketAccess.class)
                .withName(cluster.namespace())
                .delete();
    }

    static void bind(TestCluster cluster, BucketAccessRequest request) {
        cluster.editStatus(request, current -> current.setStatus(new CosiStatus("Bound", "", List.of(), null)));
    }
}
