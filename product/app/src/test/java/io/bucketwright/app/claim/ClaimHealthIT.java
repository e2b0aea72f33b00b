package io.bucketwright.app.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.KStatus;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Flux and {@code kubectl wait} see of a claim on a real cluster. */
@OnCluster
class ClaimHealthIT {

    @BeforeEach
    void prepare(TestCluster cluster) {
        cluster.install(Crds.objectBuckets());
        cluster.admin()
                .resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(cluster.namespace())
                        .endMetadata()
                        .withProvisioner(provisioner(cluster))
                        .build())
                .create();
    }

    @AfterEach
    void removeClass(TestCluster cluster) {
        cluster.admin()
                .storage()
                .v1()
                .storageClasses()
                .withName(cluster.namespace())
                .delete();
    }

    @Test
    void aClaimIsInProgressThenCurrentOrFailedThenTerminating(TestCluster cluster) throws InterruptedException {
        create(cluster, "photos", "generateBucketName: photo");
        create(cluster, "bad", "bucketName: Not_A_Name");
        assertThat(KStatus.of(read(cluster, "photos")))
                .as("before any controller has seen it")
                .isEqualTo(KStatus.IN_PROGRESS);

        try (ControllerProcess controller = ClientOptions.config(
                        BucketProvisioner.builder(), cluster.admin().getConfiguration())
                .provisioner(provisioner(cluster))
                .stores(Stores.installed(), "none")
                .namespace(cluster.namespace())
                .workers(2)
                .build()
                .start()) {
            controller.awaitReady();
            assertThat(cluster.kubectl("wait", "--for=condition=Ready", "obc/photos", "--timeout=60s"))
                    .contains("condition met");
            assertThat(KStatus.of(read(cluster, "photos"))).isEqualTo(KStatus.CURRENT);
            assertThat(cluster.kubectl("wait", "--for=condition=Stalled", "obc/bad", "--timeout=60s"))
                    .contains("condition met");
            assertThat(KStatus.of(read(cluster, "bad"))).isEqualTo(KStatus.FAILED);

            cluster.edit(
                    read(cluster, "photos"),
                    claim -> claim.getMetadata().getFinalizers().add("example.com/audit"));
            cluster.admin().resource(read(cluster, "photos")).delete();
            assertThat(KStatus.of(read(cluster, "photos"))).isEqualTo(KStatus.TERMINATING);
            cluster.edit(
                    read(cluster, "photos"),
                    claim -> claim.getMetadata().getFinalizers().remove("example.com/audit"));
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> cluster.admin()
                                    .resources(ObjectBucketClaim.class)
                                    .inNamespace(cluster.namespace())
                                    .withName("photos")
                                    .get()
                            == null);
        }
        assertThat(read(cluster, "bad").phase()).isEqualTo(Phase.FAILED);
    }

    private static void create(TestCluster cluster, String name, String bucket) {
        cluster.admin()
                .resource("""
                        apiVersion: objectbucket.io/v1alpha1
                        kind: ObjectBucketClaim
                        metadata: {name: %s}
                        spec: {storageClassName: %s, %s}
                        """.formatted(name, cluster.namespace(), bucket))
                .inNamespace(cluster.namespace())
                .create();
    }

    private static ObjectBucketClaim read(TestCluster cluster, String name) {
        return cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName(name)
                .require();
    }

    private static String provisioner(TestCluster cluster) {
        return cluster.namespace() + ".example/bucket";
    }
}
