package io.bucketwright.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.ClaimingPod;
import io.bucketwright.app.docs.GeneratedPage;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of all roles at the endpoint of a real process, and docs/reference/metrics.md, which is made of them. */
@OnCluster(own = true)
class MetricsIT {

    private static final GeneratedPage PAGE = GeneratedPage.ofClusterTest("metrics.md", "MetricsIT");

    @Test
    void everyRoleReportsItsClaimsAndThePageHasEveryMetric(TestCluster cluster, @TempDir Path folder) throws Exception {
        cluster.install(Crds.objectBuckets());
        cluster.install(Crds.cosi());
        String namespace = cluster.namespace();
        ClaimingPod.awaitServiceAccount(cluster);
        MonitoredProcess.create(cluster.admin(), namespace);
        try (MonitoredProcess process = new MonitoredProcess(cluster.user("everything"), namespace, folder)) {
            Eventually.await("every kind in its phase")
                    .untilAsserted(() -> assertThat(process.scrape())
                            .contains(claims("buckets", "ObjectBucketClaim", "Bound", "Bound", 1))
                            .contains(claims("buckets", "ObjectBucketClaim", "Pending", "StoreUnavailable", 1))
                            .contains(claims("cosi", "BucketRequest", "Bound", "Bound", 1))
                            .contains(claims("cosi", "BucketAccessRequest", "Bound", "Bound", 1))
                            .contains(claims("cosi", "BucketAccess", "Bound", "Bound", 1))
                            .contains(claims("directories", "PersistentVolumeClaim", "Bound", "None", 1))
                            .contains(claims("directories", "PersistentVolume", "Bound", "None", 1))
                            .contains(claims("pod-claims", "PodVolume", "Pending", "None", 1))
                            .contains(claims("pod-claims", "PersistentVolumeClaim", "Pending", "None", 1))
                            .contains(claims("releaser", "PersistentVolume", "Available", "None", 1))
                            .contains("bucketwright_credentials{role=\"buckets\",rotation=\"none\"} 1")
                            .contains("bucketwright_credentials{role=\"cosi-sidecar\",rotation=\"none\"} 1")
                            .contains("bucketwright_queue_backing_off{queue=\"objectbucket-obc-buckets\"} 1")
                            .contains("bucketwright_bucket_quota_size_bytes{")
                            .contains("bucketwright_directory_used_bytes{")
                            .contains("bucketwright_orphans{kind=\"ObjectBucket\",role=\"orphans\"} 0"));
            String page = process.scrape();
            assertThat(page)
                    .containsPattern(timeToBound("ObjectBucketClaim", "buckets"))
                    .containsPattern(timeToBound("BucketRequest", "cosi"))
                    .containsPattern(timeToBound("PersistentVolumeClaim", "directories"))
                    .containsPattern(timeToBound("PersistentVolumeClaim", "pod-claims"))
                    .contains(
                            "bucketwright_store_calls_seconds_count{operation=\"provision\",result=\"ok\",store=\"none\"}")
                    .contains(
                            "bucketwright_store_calls_seconds_count{operation=\"check\",result=\"unavailable\",store=\"none\"}")
                    .contains(
                            "bucketwright_reconciles_total{controller=\"objectbucket-obc-buckets\",result=\"threw\"} 0")
                    .contains("bucketwright_watches_stale 0")
                    .contains("bucketwright_orphans_reclaimed_total{kind=\"ObjectBucket\",role=\"orphans\"} 0")
                    .contains("bucketwright_orphans_reclaimed_total{kind=\"ObjectBucket\",role=\"buckets\"} 0")
                    .containsPattern("bucketwright_leader\\{lease=\"[^\"]*buckets[^\"]*\",serves=\"[^\"]*\"} 1");

            cluster.admin()
                    .resources(ObjectBucketClaim.class)
                    .inNamespace(namespace)
                    .withName("photos")
                    .delete();
            Eventually.await("no Bound claim")
                    .untilAsserted(() -> assertThat(process.scrape())
                            .doesNotContain(claims("buckets", "ObjectBucketClaim", "Bound", "Bound", 1)));
            PAGE.assertSection("metrics", table(page));
        }
    }

    private static String claims(String role, String kind, String phase, String reason, int count) {
        return "bucketwright_claims{kind=\"" + kind + "\",phase=\"" + phase + "\",reason=\"" + reason + "\",role=\""
                + role + "\"} " + count;
    }

    private static Pattern timeToBound(String kind, String role) {
        return Pattern.compile(
                "bucketwright_time_to_bound_seconds_count\\{kind=\"" + kind + "\",role=\"" + role + "\"} 1");
    }

    private static String table(String page) {
        TreeMap<String, MetricFamily> families = new TreeMap<>();
        MetricFamily.parse(page).forEach(family -> families.put(family.name(), family));
        return GeneratedPage.table(
                List.of("metric", "type", "labels", "meaning"),
                families.values().stream()
                        .map(family -> List.of(
                                "`" + family.name() + "`",
                                family.type(),
                                String.join(", ", family.labels()),
                                family.help())));
    }
}
