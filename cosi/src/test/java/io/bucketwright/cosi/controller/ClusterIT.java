package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bucketwright.api.cosi.BucketAccessRequestSpec;
import io.bucketwright.api.cosi.BucketRequestSpec;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.ApiUser;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

@OnCluster
@ResourceLock("COSI objects of all namespaces")
class ClusterIT {

    private static final int REQUESTS = 20;
    private static final LeaseTiming QUICK =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

    @Test
    void theRoleInTheDeployFolderIsEnoughAndNoSecretValueIsTold(TestCluster cluster) throws IOException {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger ours = (Logger) LoggerFactory.getLogger("io.bucketwright");
        Level level = ours.getLevel();
        ours.addAppender(lines);
        ours.setLevel(Level.TRACE);
        ApiUser user = cluster.user("cosi", role(cluster));
        try (Bench bench = new Bench(cluster)) {
            ControllerProcess controller = bench.controller(user);
            bench.newBucket("photos", bench.bucketClass());
            bench.access("viewer", "photos", bench.accessClass());
            bench.awaitAccess("viewer");
            bench.awaitBound("photos");
            String key = bench.key("viewer");
            bench.admin().resource(Bench.existing(bench.secret("viewer"))).edit(it -> {
                it.getMetadata().setLabels(Map.of());
                it.setData(Map.of("SECRET_KEY", "d3Jvbmc="));
                return it;
            });
            Eventually.await("repaired").until(() -> bench.key("viewer").equals(key));
            bench.awaitQuiet();
            String told = Serialization.asYaml(bench.request("photos"))
                    + Serialization.asYaml(bench.accessRequest("viewer"))
                    + Serialization.asYaml(bench.bucketOf("photos"))
                    + Serialization.asYaml(bench.accessOf("viewer"))
                    + Serialization.asYaml(bench.admin()
                            .events()
                            .v1()
                            .events()
                            .inNamespace(bench.namespace())
                            .list())
                    + String.join(
                            "\n",
                            new ArrayList<>(lines.list)
                                    .stream()
                                            .map(ILoggingEvent::getFormattedMessage)
                                            .toList());
            assertThat(key).isNotEmpty();
            assertThat(told).doesNotContain("\"" + key + "\"").doesNotContain(base64(key));
            bench.deleteAccess("viewer");
            bench.deleteRequest("photos");
            bench.awaitAccessDeleted("viewer");
            bench.awaitRequestDeleted("photos");
            assertThat(controller.metrics())
                    .contains("cosi_operation_count{driver_name=\"s3.test\",operation=\"Create\","
                            + "resource_kind=\"BucketRequest\",status=\"Succeeded\"} 1")
                    .contains("cosi_operation_count{driver_name=\"s3.test\",operation=\"Delete\","
                            + "resource_kind=\"BucketAccessRequest\",status=\"Succeeded\"} 1");
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.count(request -> request.code() == 403))
                    .as("%s", requests)
                    .isZero();
        } finally {
            ours.detachAppender(lines);
            ours.setLevel(level);
        }
    }

    @Test
    void whenTheLeaderDiesInTheMiddleTheOtherBindsTheRestAndNothingIsMadeTwice(TestCluster cluster) {
        CrashingClient crash = CrashingClient.atWrite(REQUESTS * 9 / 2, Moment.AFTER_EFFECT);
        try (Bench bench = new Bench(cluster)) {
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            bench.controller(
                    cluster.user("one"), builder -> builder.http(crash::wrap).lease(bench.namespace(), "cosi", QUICK));
            bench.controller(cluster.user("two"), builder -> builder.lease(bench.namespace(), "cosi", QUICK));
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
        try (Bench bench = new Bench(cluster)) {
            bench.controller(cluster.user("cosi"));
            bench.sidecar.accessTrouble = "later";
            bench.newBucket("photos", bench.bucketClass());
            bench.access("viewer", "photos", bench.accessClass());
            Eventually.await("an access").until(() -> !bench.accesses().isEmpty());
            String uid = bench.accesses().getFirst().getMetadata().getUid();
            String account = CosiNames.accountOf(uid);
            // A tenant can label a Secret of theirs as they like, but not put it where the provisioner puts its own.
            plant(bench, bench.namespace(), account, uid, uid);
            plant(bench, bench.provisioner.namespace(), account, uid, "another");
            bench.awaitQuiet();
            assertThat(bench.secret("viewer")).isNull();
            assertThat(Bench.existing(bench.accessRequest("viewer")).phase())
                    .isEqualTo(BucketAccessRequestPhase.PENDING);
        }
    }

    @Test
    void ambiguousNamesGetDifferentObjects(TestCluster cluster) {
        try (Bench bench = new Bench(cluster)) {
            bench.controller(cluster.user("cosi"));
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            String tail = "t" + bench.namespace().substring(bench.namespace().length() - 4);
            bench.namespaceNamed(tail);
            bench.namespaceNamed("b-" + tail);
            bench.request("b-" + tail, "a", Specs.of(BucketRequestSpec.class, "bucketClassName", bucketClass));
            bench.request(tail, "a-b", Specs.of(BucketRequestSpec.class, "bucketClassName", bucketClass));
            bench.access("b-" + tail, "a", through("a", accessClass));
            bench.access(tail, "a-b", through("a-b", accessClass));
            bench.await("b-" + tail, "a", BucketAccessRequestPhase.BOUND);
            bench.await(tail, "a-b", BucketAccessRequestPhase.BOUND);
            assertThat(bench.buckets()).hasSize(2);
            assertThat(bench.accesses()).hasSize(2);
            assertThat(bench.key("b-" + tail, "a")).isNotEqualTo(bench.key(tail, "a-b"));
        }
    }

    private static BucketAccessRequestSpec through(String request, String accessClass) {
        return Specs.of(
                BucketAccessRequestSpec.class, "bucketRequestName", request, "bucketAccessClassName", accessClass);
    }

    private static void plant(Bench bench, String namespace, String name, String label, String annotation) {
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
        try (InputStream yaml = Files.newInputStream(Path.of("..", "deploy", "cosi-rbac.yaml"))) {
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
