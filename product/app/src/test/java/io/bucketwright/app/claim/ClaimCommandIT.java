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
            shell.succeeds("create", "photos", "--class", namespace, "--generate-name", "photo", "--wait")
                    .contains(" created.", "Bound: Bucket photo");

            shell.succeeds("list").contains("photos", "Bound").doesNotContain("Pending");
            shell.succeeds("list", "-A", "-o", "json")
                    .contains("\"namespace\" : \"" + namespace + "\"", "\"phase\" : \"Bound\"");

            await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> {
                shell.succeeds("describe", "photos").contains("Normal Bound");
            });
            Secret secret = secret(cluster);
            assertThat(shell.out()).contains("Ready=True Bound", "ObjectBucket obc-" + namespace + "-photos:");
            assertThat(shell.out()).contains(secret.getData().keySet());
            TestCluster.decoded(secret).values().stream()
                    .filter(value -> value.length() > 10)
                    .forEach(value -> assertThat(shell.out()).doesNotContain(value));

            ClaimShell buckets = new ClaimShell(cluster.local().kubeconfig());
            String objectBucket = "obc-" + namespace + "-photos";
            buckets.succeeds(new BucketCommand(), "access", objectBucket)
                    .hasLineCount(2)
                    .contains("ObjectBucketClaim", namespace + "/photos", "PUBLISHED");

            shell.succeeds("rotate", "photos", "--wait").contains("The new keys are in Secret");
            buckets.succeeds(new BucketCommand(), "access", "objectbucket/" + objectBucket, "-o", "json")
                    .contains("\"state\" : \"RETIRING\"", "\"state\" : \"PUBLISHED\"", "\"until\" : \"20");
            TestCluster.decoded(secret(cluster)).entrySet().stream()
                    .filter(entry -> entry.getKey().contains("SECRET"))
                    .forEach(entry -> assertThat(buckets.out()).doesNotContain(entry.getValue()));
            assertThat(secret(cluster).getData()).isNotEqualTo(secret.getData());

            shell.succeeds("delete", "photos", "--wait").contains(" deleted.");
            assertThat(claim(cluster, "photos")).isNull();
        }
    }

    @Test
    void aClaimThatCannotBeBoundIsOneSentenceAndExitCode1(TestCluster cluster) throws Exception {
        try (ControllerProcess _ = start(cluster)) {
            shell.fails("create", "bad", "--class", namespace, "--bucket", "Not_A_Name", "--wait")
                    .startsWith("The claim cannot be bound: Invalid: ")
                    .hasLineCount(1);
            shell.fails("create", "bad").contains("it already exists").hasLineCount(1);
            shell.fails("rotate", "bad")
                    .contains("has no keys to rotate: it is Failed.")
                    .hasLineCount(1);
        }
    }

    @Test
    void aDeletionThatWaitsForSomebodySaysForWhom(TestCluster cluster) {
        try {
            shell.succeeds("create", "held", "--class", "no-such-class");
            shell.succeeds("describe", "held").contains("StorageClass no-such-class does not exist");
            hold(cluster, List.of("example.com/audit"));
            shell.fails("delete", "held", "--wait", "--timeout", "1s")
                    .startsWith("Timed out after 1s.")
                    .contains("example.com/audit");
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

            shell.succeeds("delete", "held");
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() ->
                            claim(cluster, "held").getMetadata().getFinalizers().size() == 1);
            shell.fails("delete", "held", "--wait", "--timeout", "3s")
                    .contains("finalizers of other controllers: example.com/audit.");
            assertThat(claim(cluster, "held").getMetadata().getFinalizers()).containsExactly("example.com/audit");
            hold(cluster, List.of());
            await().atMost(1, TimeUnit.MINUTES).until(() -> shell.run("describe", "held") == 1);
        }
    }

    @Test
    void whatIsNotThereOrNotAllowedIsOneSentence(TestCluster cluster) {
        for (String verb : List.of("describe", "rotate", "delete")) {
            shell.fails(verb, "nothing")
                    .startsWith("Claim " + namespace + "/nothing does not exist.")
                    .hasLineCount(1);
        }
        shell.succeeds("list").isEqualToIgnoringNewLines("No claims found in namespace " + namespace + ".");
        ApiUser stranger = cluster.user(
                "stranger",
                List.of(TestCluster.rule("objectbucket.io", List.of("objectbucketclaims"), "get", "create")));
        ClaimShell others = new ClaimShell(stranger.kubeconfig(), "--namespace=" + namespace);
        others.fails("list")
                .startsWith("Forbidden: cannot list the claims of namespace")
                .hasLineCount(1);
        others.succeeds("create", "theirs");
        // A tenant sees what a tenant may see.
        others.succeeds("describe", "theirs").contains("does not exist, or you may not read it");
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
