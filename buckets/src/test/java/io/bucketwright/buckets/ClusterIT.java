package io.bucketwright.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatus;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@OnCluster
class ClusterIT {

    private static final int CLAIMS = 40;
    private static final String COUNT = "count/objectbucketclaims.objectbucket.io";
    private static final LeaseTiming QUICK =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

    /** The least that works; the chart's role is made of these. */
    private static final List<PolicyRule> LEAST = List.of(
            rule("objectbucket.io", List.of("objectbucketclaims"), "list", "watch", "patch"),
            rule("objectbucket.io", List.of("objectbucketclaims/status", "objectbuckets/status"), "patch"),
            rule("objectbucket.io", List.of("objectbucketclaims/finalizers"), "update"),
            rule("objectbucket.io", List.of("objectbuckets"), "list", "watch", "create", "patch", "delete"),
            rule("", List.of("secrets", "configmaps"), "get", "list", "watch", "create", "patch", "delete"),
            rule("", List.of("namespaces"), "list", "watch"),
            rule("storage.k8s.io", List.of("storageclasses"), "list", "watch"),
            rule("events.k8s.io", List.of("events"), "create", "patch"));

    @Test
    void theLeastPermissionsAreEnoughAndNoSecretValueIsTold(TestCluster cluster) {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger ours = (Logger) LoggerFactory.getLogger("io.bucketwright");
        Level level = ours.getLevel();
        ours.addAppender(lines);
        ours.setLevel(Level.TRACE);
        MemoryStore store = new MemoryStore();
        ApiUser user = cluster.user("buckets", LEAST);
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user, store);
            bench.newBucket("mine", storageClass);
            bench.awaitBound("mine");
            Map<String, String> first = bench.keys("mine");
            bench.admin().resource(bench.secret("mine")).edit(secret -> {
                secret.getData().put("SECRET_ACCESS_KEY", "d3Jvbmc=");
                return secret;
            });
            Bench.await("other keys").until(() -> !bench.keys("mine").equals(first) && bench.opens(store, "mine"));
            bench.awaitSettled();
            String told = Serialization.asYaml(bench.get("mine"))
                    + Serialization.asYaml(bench.bucketOf("mine"))
                    + Serialization.asYaml(bench.configMap("mine"))
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
            assertThat(told)
                    .doesNotContain(first.getOrDefault("SECRET_ACCESS_KEY", "?"))
                    .doesNotContain(bench.keys("mine").getOrDefault("SECRET_ACCESS_KEY", "?"));
            bench.delete("mine");
            bench.awaitGone("mine");
            RequestCounts requests = cluster.requests(user);
            assertThat(requests.count(
                            request -> request.code() == 403 && !request.verb().equals("get")))
                    .as("%s", requests)
                    .isZero();
        } finally {
            ours.detachAppender(lines);
            ours.setLevel(level);
        }
    }

    @Test
    void whenTheLeaderDiesInTheMiddleTheOtherBindsTheRestAndNothingIsMadeTwice(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        CrashingClient mortality = CrashingClient.atWrite(CLAIMS * 7 / 2, Moment.AFTER_EFFECT);
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(
                    cluster.user("one"),
                    store,
                    builder -> builder.http(mortality::wrap).lease(bench.namespace(), "buckets", QUICK));
            bench.provisioner(
                    cluster.user("two"), store, builder -> builder.lease(bench.namespace(), "buckets", QUICK));
            IntStream.range(0, CLAIMS).forEach(i -> bench.newBucket("mine-" + i, storageClass));
            IntStream.range(0, CLAIMS).forEach(i -> bench.awaitBound("mine-" + i));
            assertThat(mortality.died()).isTrue();
            bench.awaitSettled();
            IntStream.range(0, CLAIMS)
                    .forEach(i -> assertThat(bench.opens(store, "mine-" + i)).isTrue());
            assertThat(store.names()).hasSize(CLAIMS);
            assertThat(store.principals()).isEqualTo(CLAIMS);
            assertThat(store.keys()).isEqualTo(CLAIMS);
            assertThat(bench.buckets()).hasSize(CLAIMS);
        }
    }

    @Test
    void aNamespaceWithClaimsCanBeDeleted(TestCluster cluster) {
        MemoryStore store = new MemoryStore();
        String other = cluster.namespace() + "-other";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(other)
                        .endMetadata()
                        .build())
                .create();
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(cluster.user("buckets"), store, builder -> builder.namespace(""));
            ObjectBucketClaim claim = new ObjectBucketClaim();
            claim.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(other)
                    .withName("mine")
                    .build());
            claim.setSpec(ObjectBucketClaimSpec.builder()
                    .storageClassName(storageClass)
                    .generateBucketName("photos")
                    .build());
            cluster.admin().resource(claim).create();
            Bench.await("bound")
                    .until(() -> cluster.admin().resource(claim).get().phase() == Phase.BOUND);
            cluster.admin().namespaces().withName(other).delete();
            Bench.await("the namespace to go")
                    .until(() -> cluster.admin().namespaces().withName(other).get() == null);
            assertThat(store.names()).isEmpty();
            assertThat(store.principals()).isZero();
            Bench.await("the ObjectBucket to go").until(() -> bench.buckets().isEmpty());
        }
    }

    @Test
    void aResourceQuotaLimitsTheNumberOfClaims(TestCluster cluster) {
        try (Bench bench = new Bench(cluster)) {
            String storageClass = bench.storageClass("new", Map.of());
            ResourceQuota quota = new ResourceQuotaBuilder()
                    .withNewMetadata()
                    .withNamespace(bench.namespace())
                    .withName("one-claim")
                    .endMetadata()
                    .withNewSpec()
                    .addToHard(COUNT, Quantity.parse("1"))
                    .endSpec()
                    .build();
            // The quota controller looks for new kinds twice a minute, and at known quotas every five minutes only.
            Bench.await("the quota to be in force")
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
                    .hasMessageContaining("exceeded quota");
        }
    }

    private static PolicyRule rule(String group, List<String> resources, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources)
                .withVerbs(verbs)
                .build();
    }
}
