package io.bucketwright.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The installed command with the rights of deploy/rbac.yaml and no others, on a real store. */
@OnCluster(with = AddOn.S3)
@ResourceLock("provisioner bucketwright.io/bucket")
class DeployedControllerIT {

    @TempDir
    private Path temporary;

    @Test
    void bindsAndReleasesAsItsServiceAccountAndNoSecretLeaks(TestCluster cluster) throws Exception {
        StoreAccess s3 = cluster.local().s3().orElseThrow();
        KubernetesClient admin = cluster.admin();
        Crds.all().forEach(crd -> admin.resource(crd).serverSideApply());
        InstalledCommand.deploy(cluster, "rbac.yaml");
        prepareClass(cluster, s3);
        try (InstalledCommand controller = InstalledCommand.controller(
                cluster,
                temporary,
                "bucketwright-buckets",
                "controller",
                "--only=buckets",
                "--lease-namespace=bucketwright")) {
            admin.resource("""
                            apiVersion: objectbucket.io/v1alpha1
                            kind: ObjectBucketClaim
                            metadata: {name: photos}
                            spec: {generateBucketName: photo, storageClassName: %s}
                            """.formatted(cluster.namespace()))
                    .inNamespace(cluster.namespace())
                    .create();
            await().atMost(1, TimeUnit.MINUTES).until(() -> phase(cluster) == Phase.BOUND);
            Secret secret = admin.secrets()
                    .inNamespace(cluster.namespace())
                    .withName("photos")
                    .get();
            List<String> secrets = Stream.of(
                            Optional.of(s3.secretAccessKey()),
                            Optional.ofNullable(secret.getData().get("AWS_SECRET_ACCESS_KEY"))
                                    .map(DeployedControllerIT::decode))
                    .flatMap(Optional::stream)
                    .toList();
            assertThat(secrets).hasSize(2).allMatch(value -> value.length() > 15);
            String metrics = controller.metrics();
            assertThat(metrics).contains("bucketwright_api_requests_total");
            String everything = controller.err()
                    + metrics
                    + Serialization.asJson(claim(cluster).get())
                    + Serialization.asJson(admin.resources(ObjectBucket.class).list())
                    + Serialization.asJson(
                            admin.configMaps().inNamespace(cluster.namespace()).list())
                    + Serialization.asJson(
                            admin.resources(Event.class).inAnyNamespace().list());
            assertThat(secrets).noneMatch(everything::contains);

            claim(cluster).delete();
            await().atMost(1, TimeUnit.MINUTES).until(() -> claim(cluster).get() == null);
            assertThat(controller.err()).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");
        } finally {
            admin.storage().v1().storageClasses().withName(cluster.namespace()).delete();
        }
        InstalledCommand.assertReleased(cluster, "bucketwright-buckets");
    }

    private static void prepareClass(TestCluster cluster, StoreAccess s3) {
        cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("administrator")
                        .withNamespace(cluster.namespace())
                        .endMetadata()
                        .addToStringData("AWS_ACCESS_KEY_ID", s3.accessKeyId())
                        .addToStringData("AWS_SECRET_ACCESS_KEY", s3.secretAccessKey())
                        .build())
                .create();
        cluster.admin()
                .resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(cluster.namespace())
                        .endMetadata()
                        .withProvisioner("bucketwright.io/bucket")
                        .withParameters(Map.of(
                                "endpoint", s3.endpoint(),
                                "iamEndpoint", s3.iamEndpoint(),
                                "secretName", "administrator",
                                "secretNamespace", cluster.namespace()))
                        .build())
                .create();
    }

    private static Phase phase(TestCluster cluster) {
        return claim(cluster).get().phase();
    }

    private static Resource<ObjectBucketClaim> claim(TestCluster cluster) {
        return cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName("photos");
    }

    private static String decode(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
