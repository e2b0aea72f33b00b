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
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A claim's whole life by the command, on a real cluster, with the store that makes nothing. */
@OnCluster
@ResourceLock("provisioner bucketwright.io/bucket")
class ClaimCommandIT {

    private String namespace = "";
    private ClaimShell shell = new ClaimShell(Path.of("none"));

    @BeforeEach
    void prepare(TestCluster cluster) {
        namespace = cluster.namespace();
        shell = new ClaimShell(cluster.local().kubeconfig(), "--namespace=" + namespace);
        cluster.install(Crds.objectBuckets());
        cluster.admin()
                .resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withProvisioner(provisioner(cluster))
                        .withParameters(Map.of("rotationOverlap", "1h"))
                        .build())
                .create();
    }

    @AfterEach
    void removeClass(TestCluster cluster) {
        cluster.admin().storage().v1().storageClasses().withName(namespace).delete();
    }

    @Test
    void aClaimIsMadeShownRenewedAndDeleted(TestCluster cluster) throws Exception {
        try (ControllerProcess _ = start(cluster)) {
            assertThat(shell.run("create", "photos", "--class", namespace, "--generate-name", "photo", "--wait"))
                    .isZero();
            assertThat(shell.out()).contains(" created.", "Bound: Bucket photo");

            assertThat(shell.run("list")).isZero();
            assertThat(shell.out()).contains("photos", "Bound").doesNotContain("Pending");
            assertThat(shell.run("list", "-A", "-o", "json")).isZero();
            assertThat(shell.out()).contains("\"namespace\" : \"" + namespace + "\"", "\"phase\" : \"Bound\"");

            await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> {
                assertThat(shell.run("describe", "photos")).isZero();
                assertThat(shell.out()).contains("Normal Bound");
            });
            Secret secret = secret(cluster);
            assertThat(shell.out()).contains("Ready=True Bound", "ObjectBucket obc-" + namespace + "-photos:");
            assertThat(shell.out()).contains(secret.getData().keySet());
            TestCluster.decoded(secret).values().stream()
                    .filter(value -> value.length() > 10)
                    .forEach(value -> assertThat(shell.out()).doesNotContain(value));

            assertThat(shell.run("rotate", "photos", "--wait")).isZero();
            assertThat(shell.out()).contains("The new keys are in Secret");
            assertThat(secret(cluster).getData()).isNotEqualTo(secret.getData());

            assertThat(shell.run("delete", "photos", "--wait")).isZero();
            assertThat(shell.out()).contains(" deleted.");
            assertThat(claim(cluster, "photos")).isNull();
        }
    }

    @Test
    void aClaimThatCannotBeBoundIsOneSentenceAndExitCode1(TestCluster cluster) throws Exception {
        try (ControllerProcess _ = start(cluster)) {
            assertThat(shell.run("create", "bad", "--class", namespace, "--bucket", "Not_A_Name", "--wait"))
                    .isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("The claim cannot be bound: Invalid: ")
                    .hasLineCount(1);
            assertThat(shell.run("create", "bad")).isEqualTo(1);
            assertThat(shell.err()).contains("it already exists").hasLineCount(1);
            assertThat(shell.run("rotate", "bad")).isEqualTo(1);
            assertThat(shell.err())
                    .contains("has no keys to rotate: it is Failed.")
                    .hasLineCount(1);
        }
    }

    @Test
    void aDeletionThatWaitsForSomebodySaysForWhom(TestCluster cluster) {
        try {
            assertThat(shell.run("create", "held", "--class", "no-such-class")).isZero();
            assertThat(shell.run("describe", "held")).isZero();
            assertThat(shell.out()).contains("StorageClass no-such-class does not exist");
            hold(cluster, List.of("example.com/audit"));
            assertThat(shell.run("delete", "held", "--wait", "--timeout", "1s")).isEqualTo(1);
            assertThat(shell.err()).startsWith("Timed out after 1s.").contains("example.com/audit");
        } finally {
            hold(cluster, List.of());
        }
    }

    @Test
    void labelsAndFinalizersOfOthersSurviveBindingAndDeletion(TestCluster cluster) throws Exception { // lib#206
        try (ControllerProcess _ = start(cluster)) {
            cluster.admin()
                    .resource("""
                        apiVersion: objectbucket.io/v1alpha1
                        kind: ObjectBucketClaim
                        metadata:
                          name: held
                          labels: {team: blue}
                          annotations: {note: theirs}
                          finalizers: [example.com/audit]
                        spec: {generateBucketName: held, storageClassName: %s}
                        """.formatted(namespace))
                    .inNamespace(namespace)
                    .create();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> claim(cluster, "held").phase() == Phase.BOUND);
            ObjectMeta bound = claim(cluster, "held").getMetadata();
            assertThat(bound.getLabels()).containsEntry("team", "blue").containsKey("bucket-provisioner");
            assertThat(bound.getAnnotations()).containsEntry("note", "theirs");
            assertThat(bound.getFinalizers()).contains("example.com/audit", "objectbucket.io/finalizer");

            assertThat(shell.run("delete", "held")).isZero();
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            claim(cluster, "held").getMetadata().getFinalizers().size() == 1);
            assertThat(shell.run("delete", "held", "--wait", "--timeout", "3s")).isEqualTo(1);
            assertThat(shell.err()).contains("finalizers of other controllers: example.com/audit.");
            assertThat(claim(cluster, "held").getMetadata().getFinalizers()).containsExactly("example.com/audit");
            hold(cluster, List.of());
            await().atMost(1, TimeUnit.MINUTES).until(() -> shell.run("describe", "held") == 1);
        }
    }

    @Test
    void whatIsNotThereOrNotAllowedIsOneSentence(TestCluster cluster) {
        for (String verb : List.of("describe", "rotate", "delete")) {
            assertThat(shell.run(verb, "nothing")).isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("Claim " + namespace + "/nothing does not exist.")
                    .hasLineCount(1);
        }
        assertThat(shell.run("list")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("No claims found in namespace " + namespace + ".");
        ApiUser stranger = cluster.user(
                "stranger",
                List.of(TestCluster.rule("objectbucket.io", List.of("objectbucketclaims"), "get", "create")));
        ClaimShell others = new ClaimShell(stranger.kubeconfig(), "--namespace=" + namespace);
        assertThat(others.run("list")).isEqualTo(1);
        assertThat(others.err())
                .startsWith("Forbidden: cannot list the claims of namespace")
                .hasLineCount(1);
        assertThat(others.run("create", "theirs")).isZero();
        assertThat(others.run("describe", "theirs"))
                .as("a tenant sees what a tenant may see")
                .isZero();
        assertThat(others.out()).contains("does not exist, or you may not read it");
    }

    private static ControllerProcess start(TestCluster cluster) throws InterruptedException {
        ControllerProcess controller = ClientOptions.config(
                        BucketProvisioner.builder(), cluster.admin().getConfiguration())
                .provisioner(provisioner(cluster))
                .stores(Stores.installed(), "none")
                .namespace(cluster.namespace())
                .workers(4)
                .build()
                .start();
        controller.awaitReady();
        return controller;
    }

    private static String provisioner(TestCluster cluster) {
        return cluster.namespace() + ".example/bucket";
    }

    private static void hold(TestCluster cluster, List<String> finalizers) {
        cluster.edit(claim(cluster, "held"), claim -> claim.getMetadata().setFinalizers(finalizers));
    }

    private static ObjectBucketClaim claim(TestCluster cluster, String name) {
        return cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName(name)
                .get();
    }

    private static Secret secret(TestCluster cluster) {
        return cluster.admin()
                .secrets()
                .inNamespace(cluster.namespace())
                .withName("photos")
                .get();
    }
}
