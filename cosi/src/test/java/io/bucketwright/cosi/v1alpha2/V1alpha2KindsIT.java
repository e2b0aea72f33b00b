package io.bucketwright.cosi.v1alpha2;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.bench.V1alpha2StubDriver;
import io.bucketwright.cosi.bench.VendorDriver;
import io.bucketwright.cosi.v1alpha2.controller.V1alpha2Controller;
import io.bucketwright.cosi.v1alpha2.sidecar.V1alpha2Sidecar;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.SmallClusters;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Objects of v1alpha2 on an API server with definitions of v1alpha2, and with exactly the permissions in
 * docs/cosi-released.md. The cluster is its own: the definitions have the names of those of v1alpha1.
 */
class V1alpha2KindsIT {

    private static final String GROUP = "objectstorage.k8s.io";

    private static final List<PolicyRule> CONTROLLER = List.of(
            TestCluster.rule(GROUP, List.of("bucketclaims", "bucketaccesses"), "list", "watch", "patch"),
            TestCluster.rule(GROUP, List.of("bucketclaims/status", "bucketaccesses/status"), "patch"),
            TestCluster.rule(GROUP, List.of("buckets"), "get", "list", "watch", "create", "patch", "delete"),
            TestCluster.rule(GROUP, List.of("bucketclasses", "bucketaccessclasses"), "list", "watch"));

    private static final List<PolicyRule> SIDECAR = List.of(
            TestCluster.rule(GROUP, List.of("buckets", "bucketaccesses"), "list", "watch", "patch"),
            TestCluster.rule(GROUP, List.of("buckets/status", "bucketaccesses/status"), "patch"),
            TestCluster.rule("", List.of("secrets"), "get", "create", "patch", "delete"));

    private static final String OBJECTS = """
            apiVersion: objectstorage.k8s.io/v1alpha2
            kind: BucketClass
            metadata: {name: gold}
            spec: {driverName: driver.test, deletionPolicy: Delete, parameters: {tier: gold}}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha2
            kind: BucketAccessClass
            metadata: {name: readers}
            spec: {driverName: driver.test, authenticationType: Key, multiBucketAccess: MultipleBuckets}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha2
            kind: BucketClaim
            metadata: {name: photos, namespace: default}
            spec: {bucketClassName: gold, protocols: [S3]}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha2
            kind: BucketClaim
            metadata: {name: videos, namespace: default}
            spec: {bucketClassName: gold}
            ---
            apiVersion: objectstorage.k8s.io/v1alpha2
            kind: BucketAccess
            metadata: {name: both, namespace: default}
            spec:
              bucketAccessClassName: readers
              protocol: S3
              bucketClaims:
              - {bucketClaimName: photos, accessMode: ReadOnly, accessSecretName: photos-keys}
              - {bucketClaimName: videos, accessMode: ReadWrite, accessSecretName: videos-keys}
            """;

    @Test
    void claimsAndAnAccessToBothBindAndAreDeleted() throws IOException, InterruptedException {
        try (LocalCluster local = SmallClusters.builder(List.of()).start();
                V1alpha2StubDriver driver = new V1alpha2StubDriver("driver.test");
                VendorDriver released = new VendorDriver("released.test")) {
            Config admin = new ConfigBuilder(Config.fromKubeconfig(Files.readString(local.kubeconfig())))
                    .withHttpProxy(null)
                    .withHttpsProxy(null)
                    .build();
            try (KubernetesClient client =
                            new KubernetesClientBuilder().withConfig(admin).build();
                    FileInputStream definitions = new FileInputStream("src/test/resources/v1alpha2-crds.yaml")) {
                client.load(definitions).serverSideApply();
                await("the definitions").until(() -> serves(client));
                try (ControllerProcess controller = ClientOptions.config(
                                        V1alpha2Controller.builder(), account(client, admin, "controller", CONTROLLER))
                                .build()
                                .start();
                        ControllerProcess sidecar = ClientOptions.config(
                                        sidecar(driver.endpoint(), "driver.test"),
                                        account(client, admin, "sidecar", SIDECAR))
                                .build()
                                .start();
                        ControllerProcess other = ClientOptions.config(
                                        sidecar(released.endpoint(), "released.test"), admin)
                                .build()
                                .start()) {
                    controller.awaitReady();
                    sidecar.awaitReady();
                    binds(client, driver);
                    aDriverOfTheReleasedVersionIsRefused(client);
                    isDeleted(client, driver);
                    assertThat(other.port()).isPositive();
                }
            }
        }
    }

    private static void binds(KubernetesClient client, V1alpha2StubDriver driver) {
        client.load(new ByteArrayInputStream(OBJECTS.getBytes(StandardCharsets.UTF_8)))
                .serverSideApply();
        await("the access")
                .until(() -> client.resources(V1alpha2Access.class)
                        .inNamespace("default")
                        .withName("both")
                        .require()
                        .status()
                        .readyToUse());
        assertThat(driver.buckets).hasSize(2);
        assertThat(driver.accounts).hasSize(1);
        assertThat(TestCluster.decoded(client.secrets()
                        .inNamespace("default")
                        .withName("videos-keys")
                        .require()))
                .containsEntry("COSI_PROTOCOL", "S3")
                .containsEntry("COSI_S3_ENDPOINT", "https://s3.test")
                .containsKeys("COSI_S3_ACCESS_KEY_ID", "COSI_S3_ACCESS_SECRET_KEY");
    }

    private static void aDriverOfTheReleasedVersionIsRefused(KubernetesClient client) {
        V1alpha2Bucket bucket = new V1alpha2Bucket();
        bucket.getMetadata().setName("other");
        bucket.setSpec(new V1alpha2Bucket.BucketSpec(
                "released.test",
                "Retain",
                Map.of(),
                List.of(),
                new V1alpha2Bucket.ClaimReference("none", "default", ""),
                ""));
        client.resource(bucket).create();
        await("the refusal")
                .untilAsserted(() -> assertThat(StatusError.messageOf(
                                client.resource(bucket).require().status().error()))
                        .contains("released.test speaks cosi.v1alpha1, which is for objects of"
                                + " objectstorage.k8s.io/v1alpha1"));
    }

    private static void isDeleted(KubernetesClient client, V1alpha2StubDriver driver) {
        client.resources(V1alpha2Claim.class).inNamespace("default").delete();
        client.resources(V1alpha2Access.class).inNamespace("default").delete();
        await("the end")
                .until(() -> client.resources(V1alpha2Claim.class)
                        .inNamespace("default")
                        .list()
                        .getItems()
                        .isEmpty());
        assertThat(driver.buckets).isEmpty();
        assertThat(driver.accounts).isEmpty();
        assertThat(client.secrets().inNamespace("default").list().getItems()).isEmpty();
        assertThat(client.resources(V1alpha2Access.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .isEmpty();
    }

    private static V1alpha2Sidecar.Builder sidecar(String endpoint, String name) {
        return V1alpha2Sidecar.builder().driverName(name).driver(endpoint);
    }

    private static boolean serves(KubernetesClient client) {
        try {
            client.resources(V1alpha2Access.class).inNamespace("default").list();
            client.resources(V1alpha2Claim.class).inNamespace("default").list();
            client.resources(V1alpha2Bucket.class).list();
            client.resources(V1alpha2BucketClass.class).list();
            client.resources(V1alpha2AccessClass.class).list();
            return true;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    /** A user with exactly these permissions. */
    private static Config account(KubernetesClient client, Config admin, String name, List<PolicyRule> rules) {
        client.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                        .addNewSubject("rbac.authorization.k8s.io", "User", name, null)
                        .build())
                .create();
        return new ConfigBuilder(admin).withImpersonateUsername(name).build();
    }
}
