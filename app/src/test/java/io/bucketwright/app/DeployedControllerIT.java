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
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        try (FileInputStream rbac = new FileInputStream("../deploy/rbac.yaml")) {
            admin.load(rbac).serverSideApply();
        }
        prepareClass(cluster, s3);
        Process controller = start(cluster);
        try {
            await().atMost(1, TimeUnit.MINUTES).until(() -> log().contains("Started"));
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
            String everything = log()
                    + metrics()
                    + Serialization.asJson(claim(cluster).get())
                    + Serialization.asJson(admin.resources(ObjectBucket.class).list())
                    + Serialization.asJson(
                            admin.configMaps().inNamespace(cluster.namespace()).list())
                    + Serialization.asJson(
                            admin.resources(Event.class).inAnyNamespace().list());
            assertThat(secrets).noneMatch(everything::contains);

            claim(cluster).delete();
            await().atMost(1, TimeUnit.MINUTES).until(() -> claim(cluster).get() == null);
            assertThat(log()).doesNotContainIgnoringCase("forbidden").doesNotContain("ERROR");
        } finally {
            controller.destroy();
            assertThat(controller.waitFor(30, TimeUnit.SECONDS)).isTrue();
            admin.storage().v1().storageClasses().withName(cluster.namespace()).delete();
        }
        assertThat(admin.leases()
                        .inNamespace("bucketwright")
                        .withName("bucketwright-buckets")
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .as("the lease was given back")
                .isNullOrEmpty();
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

    private Process start(TestCluster cluster) throws IOException {
        String token = cluster.admin()
                .serviceAccounts()
                .inNamespace("bucketwright")
                .withName("bucketwright-buckets")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        String kubeconfig = Files.readString(cluster.local().kubeconfig())
                .replaceAll("(?s)client-certificate-data: \\S+\\s+client-key-data: \\S+", "token: " + token);
        Path file = Files.writeString(temporary.resolve("kubeconfig"), kubeconfig);
        ProcessBuilder builder = new ProcessBuilder(
                        "target/dist/bin/bucketwright",
                        "controller",
                        "--log-format=json",
                        "--only=buckets",
                        "--lease-namespace=bucketwright",
                        "--lease-duration=3s",
                        "--kubeconfig=" + file)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("log").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private String log() throws IOException {
        return Files.readString(temporary.resolve("log"));
    }

    private String metrics() throws Exception {
        String port = log().replaceAll("(?s).*\"port\":\\s*\"?(\\d+).*", "$1");
        try (var client = HttpClient.newHttpClient()) {
            String text = client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            assertThat(text).contains("bucketwright_api_requests_total");
            return text;
        }
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
