package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketSpec;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** What the service account of a sidecar may change with deploy/cosi-sidecar-rbac.yaml, and nothing else. */
@OnCluster
class DeployedSidecarIT {

    private static final String NOTE = "{\"metadata\":{\"annotations\":{\"note\":\"x\"}}}";
    private static final String STATUS = "{\"status\":{\"message\":\"x\"}}";

    @Test
    void aSidecarChangesOnlyObjectsOfItsOwnProvisionerAndASecondOneTakesNothingFromIt(TestCluster cluster)
            throws IOException {
        cluster.install(Crds.cosi());
        String one = cluster.namespace() + "-one";
        String two = cluster.namespace() + "-two";
        Deque<HasMetadata> created = new ArrayDeque<>();
        try {
            apply(cluster, one, created);
            apply(cluster, two, created);
            Bucket first = bucket(cluster, one, created);
            Bucket second = bucket(cluster, two, created);
            BucketAccess access = access(cluster, two, created);
            try (KubernetesClient sidecar = sidecar(cluster, one);
                    KubernetesClient other = sidecar(cluster, two)) {
                // Roles and policies take effect some time after they were written, those of each sidecar on their own.
                Eventually.await("the policy of the first sidecar to be enforced")
                        .until(() ->
                                patch(sidecar, second, "", NOTE).contains("may only update objects of provisioner"));
                Eventually.await("the policy of the second sidecar to be enforced")
                        .until(() -> patch(other, first, "", NOTE).contains("may only update objects of provisioner"));
                assertThat(patch(sidecar, second, "", NOTE)).contains(two + "/driver.test");
                assertThat(patch(sidecar, second, "status", STATUS)).contains("may only update");
                assertThat(patch(sidecar, access, "", NOTE)).contains("may only update");
                assertThat(patch(sidecar, first, "", NOTE)).isEmpty();
                assertThat(patch(sidecar, first, "status", STATUS)).isEmpty();
                assertThat(patch(other, second, "", NOTE)).isEmpty();
                assertThat(patch(other, access, "", NOTE)).isEmpty();
                assertThat(patch(other, first, "", NOTE)).contains("may only update");
                assertThat(patch(sidecar, first, "", "{\"spec\":{\"provisioner\":\"" + two + "/driver.test\"}}"))
                        .isNotEmpty();
            }
        } finally {
            created.forEach(object -> cluster.admin().resource(object).delete());
        }
    }

    /** As the file says: with another namespace everywhere. */
    private static void apply(TestCluster cluster, String namespace, Deque<HasMetadata> created) throws IOException {
        String yaml = Files.readString(Path.of("../../deploy/cosi-sidecar-rbac.yaml"))
                .replace("bucketwright-cosi", namespace);
        cluster.admin()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> {
                    cluster.admin().resource(object).serverSideApply();
                    created.push(object);
                });
    }

    private static Bucket bucket(TestCluster cluster, String namespace, Deque<HasMetadata> created) {
        Bucket bucket = new Bucket();
        bucket.setMetadata(new ObjectMetaBuilder().withName(namespace).build());
        bucket.setSpec(Specs.of(
                BucketSpec.class,
                "provisioner",
                namespace + "/driver.test",
                "protocol",
                SidecarSamples.protocol("http://store.test")));
        created.push(bucket);
        return cluster.admin().resource(bucket).create();
    }

    private static BucketAccess access(TestCluster cluster, String namespace, Deque<HasMetadata> created) {
        BucketAccess access = SidecarSamples.access(it -> {
            it.setMetadata(new ObjectMetaBuilder().withName(namespace).build());
            it.setSpec(Specs.with(it.getSpec(), "provisioner", namespace + "/driver.test"));
        });
        created.push(access);
        return cluster.admin().resource(access).create();
    }

    private static KubernetesClient sidecar(TestCluster cluster, String namespace) throws IOException {
        Config admin = Config.fromKubeconfig(Files.readString(cluster.local().kubeconfig()));
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(admin)
                        .withHttpProxy(null)
                        .withHttpsProxy(null)
                        .withImpersonateUsername("system:serviceaccount:" + namespace + ":cosi-sidecar")
                        .build())
                .build();
    }

    /** The message with which the API server rejects the patch; empty if it accepts it. */
    private static String patch(KubernetesClient client, HasMetadata object, String subresource, String patch) {
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        try {
            if (subresource.isEmpty()) {
                client.resource(object).patch(merge, patch);
            } else {
                client.resource(object).subresource(subresource).patch(merge, patch);
            }
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
