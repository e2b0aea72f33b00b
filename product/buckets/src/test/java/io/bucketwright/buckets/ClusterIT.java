package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.testing.StartedProcesses;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaSpec;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatus;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@OnCluster
@Order(1)
class ClusterIT extends BucketTestBase {

    private static final int CLAIMS = 40;
    private static final String COUNT = "count/objectbucketclaims.objectbucket.io";

    /** The minimal permissions; the role of the chart consists of these. */
    private static final List<PolicyRule> LEAST = List.of(
            TestCluster.rule("objectbucket.io", List.of("objectbucketclaims"), "list", "watch", "patch"),
            TestCluster.rule("objectbucket.io", List.of("objectbucketclaims/status", "objectbuckets/status"), "patch"),
            TestCluster.rule("objectbucket.io", List.of("objectbucketclaims/finalizers"), "update"),
            TestCluster.rule(
                    "objectbucket.io", List.of("objectbuckets"), "get", "list", "watch", "create", "patch", "delete"),
            TestCluster.rule("", List.of("secrets", "configmaps"), "get", "list", "watch", "create", "patch", "delete"),
            TestCluster.rule("", List.of("namespaces"), "list", "watch"),
            TestCluster.rule("storage.k8s.io", List.of("storageclasses"), "list", "watch"),
            TestCluster.rule("events.k8s.io", List.of("events"), "create", "patch"));

    @Test
    void minimalPermissionsAreEnoughAndNoSecretValueIsReported() {
        ApiUser user = cluster.user("buckets", LEAST);
        try (CapturedLog log = new CapturedLog()) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.start(user);
            bench.bind("mine", storageClass);
            Map<String, String> first = bench.keys("mine");
            cluster.edit(bench.secret("mine"), secret -> secret.getData().put("AWS_SECRET_ACCESS_KEY", "d3Jvbmc="));
            Eventually.await("other keys").until(() -> !bench.keys("mine").equals(first) && bench.opens("mine"));
            bench.awaitSettled();
            String shown = Serialization.asYaml(bench.get("mine"))
                    + Serialization.asYaml(bench.bucketOf("mine"))
                    + Serialization.asYaml(bench.configMap("mine"))
                    + Serialization.asYaml(cluster.events())
                    + log.text();
            assertThat(shown)
                    .doesNotContain(first.getOrDefault("SECRET_ACCESS_KEY", "?"))
                    .doesNotContain(bench.keys("mine").getOrDefault("SECRET_ACCESS_KEY", "?"));
            bench.remove("mine");
        }
        RequestCounts requests = cluster.requests(user);
        assertThat(requests.count(
                        request -> request.code() == 403 && !request.verb().equals("get")))
                .as("%s", requests)
                .isZero();
    }

    @Test
    void afterACrashOfTheLeaderTheOtherReplicaBindsTheRestAndNothingIsCreatedTwice() {
        CrashingClient crash = CrashingClient.atWrite(CLAIMS * 7 / 2, Moment.AFTER_EFFECT);
        String storageClass = bench.storageClass("new", Map.of());
        bench.start(
                cluster.user("one"),
                builder -> ClientOptions.http(builder, crash::wrap)
                        .lease(bench.namespace(), "buckets", StartedProcesses.SHORT_LEASE));
        bench.start(
                cluster.user("two"),
                builder -> builder.lease(bench.namespace(), "buckets", StartedProcesses.SHORT_LEASE));
        IntStream.range(0, CLAIMS).forEach(i -> bench.newBucket("mine-" + i, storageClass));
        IntStream.range(0, CLAIMS).forEach(i -> bench.awaitBound("mine-" + i));
        assertThat(crash.died()).isTrue();
        bench.awaitSettled();
        IntStream.range(0, CLAIMS)
                .forEach(i -> assertThat(bench.opens("mine-" + i)).isTrue());
        assertThat(store.names()).hasSize(CLAIMS);
        assertThat(store.principals()).isEqualTo(CLAIMS);
        // A request that the dead leader sent can create a key after the takeover: it is deleted 30 s later.
        Eventually.await("one key for each claim").until(() -> store.keys() == CLAIMS);
        assertThat(bench.buckets()).hasSize(CLAIMS);
    }

    @Test
    void aNamespaceWithClaimsCanBeDeleted() {
        String other = cluster.createNamespace(cluster.namespace() + "-other");
        String storageClass = bench.storageClass("new", Map.of());
        bench.start(cluster.user("buckets"), builder -> builder.namespace(""));
        ObjectBucketClaim claim =
                bench.claim(other, "mine", BucketFixture.spec(storageClass).generateBucketName("photos"), Map.of());
        Eventually.await("the claim to be Bound")
                .until(() -> cluster.admin().resource(claim).get().phase() == Phase.BOUND);
        cluster.admin().namespaces().withName(other).delete();
        Eventually.await("deletion of the namespace")
                .until(() -> cluster.admin().namespaces().withName(other).get() == null);
        assertThat(store.names()).isEmpty();
        assertThat(store.principals()).isZero();
        Eventually.await("deletion of the ObjectBucket")
                .until(() -> bench.buckets().isEmpty());
    }

    @Test
    void aResourceQuotaLimitsTheNumberOfClaims() {
        String storageClass = bench.storageClass("new", Map.of());
        ResourceQuota quota = new ResourceQuota();
        quota.setMetadata(cluster.configMap("one-claim").getMetadata());
        quota.setSpec(new ResourceQuotaSpec(Map.of(COUNT, Quantity.parse("1")), null, null));
        // The quota controller detects new kinds twice a minute, and checks known quotas only every five minutes.
        Eventually.await("the quota to be in force")
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(3))
                .until(() -> {
                    cluster.admin().resource(quota).delete();
                    cluster.admin().resource(quota).create();
                    Thread.sleep(2000);
                    return Optional.ofNullable(
                                    cluster.admin().resource(quota).get().getStatus())
                            .map(ResourceQuotaStatus::getUsed)
                            .filter(used -> used.containsKey(COUNT))
                            .isPresent();
                });
        bench.newBucket("first", storageClass);
        assertThatThrownBy(() -> bench.newBucket("second", storageClass))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("exceeded quota")
                .hasMessageContaining(COUNT);
        cluster.admin().resource(bench.get("first")).delete();
        // Rejected requests are repeated.
        Eventually.await("another claim to be admitted").until(() -> {
            bench.newBucket("second", storageClass);
            return true;
        });
    }
}
