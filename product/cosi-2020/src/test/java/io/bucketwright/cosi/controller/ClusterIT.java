package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@OnCluster(named = "controllers")
@ResourceLock("COSI objects of all namespaces")
@Order(6)
class ClusterIT {

    private static final int REQUESTS = 20;

    @Test
    void theRoleInTheDeployFolderIsEnoughAndNoSecretValueIsPrinted(TestCluster cluster) throws IOException {
        ApiUser user = cluster.user("cosi", role(cluster));
        try (CapturedLog log = new CapturedLog();
                ControllerFixture bench = new ControllerFixture(cluster)) {
            ControllerProcess controller = bench.controller(user);
            bench.bind("photos", "viewer", bench.bucketClass(), bench.accessClass());
            String key = bench.key("viewer");
            bench.corruptSecret("viewer");
            Eventually.await("the right content")
                    .until(() -> bench.key("viewer").equals(key));
            bench.awaitSettled();
            String reported = Serialization.asYaml(bench.request("photos"))
                    + Serialization.asYaml(bench.accessRequest("viewer"))
                    + Serialization.asYaml(bench.bucketOf("photos"))
                    + Serialization.asYaml(bench.accessOf("viewer"))
                    + Serialization.asYaml(cluster.events())
                    + log.text();
            assertThat(key).isNotEmpty();
            assertThat(reported).doesNotContain("\"" + key + "\"").doesNotContain(base64(key));
            bench.deleteBoth("photos", "viewer");
            assertThat(controller.metrics())
                    .contains("cosi_operation_count{driver_name=\"s3.test\",operation=\"Create\","
                            + "resource_kind=\"BucketRequest\",status=\"Succeeded\"} 1")
                    .contains("cosi_operation_count{driver_name=\"s3.test\",operation=\"Delete\","
                            + "resource_kind=\"BucketAccessRequest\",status=\"Succeeded\"} 1");
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.count(request -> request.code() == 403))
                    .as("%s", requests)
                    .isZero();
        }
    }

    @Test
    void whenTheLeaderDiesInTheMiddleTheOtherBindsTheRestAndNothingIsCreatedTwice(TestCluster cluster) {
        CrashingClient crash = CrashingClient.atWrite(REQUESTS * 9 / 2, Moment.AFTER_EFFECT);
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            bench.controller(
                    cluster.user("one"),
                    builder -> ClientOptions.http(builder, crash::wrap)
                            .lease(bench.namespace(), "cosi", StartedProcesses.SHORT_LEASE));
            bench.controller(
                    cluster.user("two"),
                    builder -> builder.lease(bench.namespace(), "cosi", StartedProcesses.SHORT_LEASE));
            IntStream.range(0, REQUESTS).forEach(i -> {
                bench.newBucket("photos-" + i, bucketClass);
                bench.access("viewer-" + i, "photos-" + i, accessClass);
            });
            IntStream.range(0, REQUESTS).forEach(i -> {
                bench.awaitAccess("viewer-" + i);
                bench.awaitBound("photos-" + i);
                assertThat(bench.opens("viewer-" + i, "viewer-" + i)).isTrue();
            });
            assertThat(crash.died()).isTrue();
            assertThat(bench.buckets()).hasSize(REQUESTS);
            assertThat(bench.accesses()).hasSize(REQUESTS);
            assertThat(bench.sidecar.buckets).hasSize(REQUESTS);
            assertThat(bench.sidecar.accounts).hasSize(REQUESTS);
        }
    }

    @Test
    void aSecretThatSomebodyPlantedForAnotherAccessIsNotCopied(TestCluster cluster) {
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            bench.controller(cluster.user("cosi"));
            bench.sidecar.accessTrouble = "later";
            bench.newBucket("photos", bench.bucketClass());
            bench.access("viewer", "photos", bench.accessClass());
            Eventually.await("an access").until(() -> !bench.accesses().isEmpty());
            String uid = bench.accesses().getFirst().getMetadata().getUid();
            String account = bench.accesses().getFirst().account();
            bench.access("witness", "photos", bench.namespace() + "-access");
            Eventually.await("another access").until(() -> bench.accesses().size() == 2);
            String witness = bench.accessOf("witness").getMetadata().getUid();
            // A tenant can label Secrets of their namespace, but cannot create one in the namespace of the provisioner.
            plant(bench, bench.namespace(), account, uid, uid);
            plant(bench, bench.provisioner.namespace(), account, uid, "another");
            plant(
                    bench,
                    bench.provisioner.namespace(),
                    bench.accessOf("witness").account(),
                    witness,
                    witness);
            Eventually.await("the copy of a Secret that was created later")
                    .until(() -> bench.key("witness").equals("planted"));
            assertThat(bench.secret("viewer")).isNull();
            assertThat(ControllerFixture.existing(bench.accessRequest("viewer")).phase())
                    .isEqualTo(BucketAccessRequestPhase.PENDING);
        }
    }

    @Test
    void ambiguousNamesGetDifferentObjects(TestCluster cluster) {
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            bench.controller(cluster.user("cosi"));
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            String tail = "t" + bench.namespace().substring(bench.namespace().length() - 4);
            bench.namespaceNamed(tail);
            bench.namespaceNamed("b-" + tail);
            bench.createRequest("b-" + tail, "a", "bucketClassName", bucketClass);
            bench.createRequest(tail, "a-b", "bucketClassName", bucketClass);
            bench.createAccess("b-" + tail, "a", "bucketRequestName", "a", "bucketAccessClassName", accessClass);
            bench.createAccess(tail, "a-b", "bucketRequestName", "a-b", "bucketAccessClassName", accessClass);
            bench.await("b-" + tail, "a", BucketAccessRequestPhase.BOUND);
            bench.await(tail, "a-b", BucketAccessRequestPhase.BOUND);
            assertThat(bench.buckets()).hasSize(2);
            assertThat(bench.accesses()).hasSize(2);
            assertThat(bench.key("b-" + tail, "a")).isNotEqualTo(bench.key(tail, "a-b"));
        }
    }

    private static void plant(ControllerFixture bench, String namespace, String name, String label, String annotation) {
        bench.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .addToLabels(CosiNames.BUCKET_ACCESS_UID, label)
                        .addToAnnotations(CosiNames.BUCKET_ACCESS_UID, annotation)
                        .endMetadata()
                        .addToStringData("SECRET_KEY", "planted")
                        .build())
                .create();
    }

    private static List<PolicyRule> role(TestCluster cluster) throws IOException {
        try (InputStream yaml = Files.newInputStream(Path.of("../..", "deploy", "cosi-rbac.yaml"))) {
            return cluster.admin().load(yaml).items().stream()
                    .filter(ClusterRole.class::isInstance)
                    .map(ClusterRole.class::cast)
                    .filter(role -> role.getMetadata().getName().equals("bucketwright-cosi"))
                    .findFirst()
                    .orElseThrow()
                    .getRules();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
