package io.bucketwright.app.doctor.checks;

import static io.bucketwright.app.doctor.checks.SampleCluster.NOW;
import static io.bucketwright.app.doctor.checks.SampleCluster.lease;
import static io.bucketwright.app.doctor.checks.SampleCluster.storageClass;
import static io.bucketwright.app.doctor.checks.SampleCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.RoleWorkload;
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is installed, compared with what runs: several releases, pods that are not ready, provisioners of others. */
class InstalledDiagnosisTest {

    private static final String AZURE = "azure.example.com/bucket";

    private final SampleCluster cluster = new SampleCluster();

    @Test
    void aClassIsServedOnlyByALeaderOfItsProvisioner() {
        cluster.leases.set(0, described("bucketwright", "bucketwright-buckets", "bucketwright.io/bucket", ""));
        StorageClass azure = storageClass("azure", AZURE);
        cluster.add(azure);
        cluster.classes.add(new ParsedClass(azure, "azure", Optional.empty(), ""));
        assertThat(cluster.findings()).containsExactly("error ClassNotServed StorageClass azure");

        cluster.leases.add(described("bucketwright", "bucketwright-buckets-0a1b2c3d", AZURE, ""));
        assertThat(cluster.findings()).isEmpty();

        cluster.leases.set(0, lease("bucketwright-buckets"));
        cluster.leases.removeLast();
        assertThat(cluster.findings())
                .as("a leader of a former version does not say what it serves")
                .isEmpty();
    }

    /** Another directory provisioner leads, and does not serve this class. */
    @Test
    void aDirectoryClassIsServedOnlyByALeaderOfItsProvisionerOrOfTheClass() {
        String lease = "bucketwright-directories-1a2b3c4d";
        cluster.add(storageClass("nfs", "bucketwright.io/directory"));
        cluster.leases.add(described("bucketwright", lease, "build-cache,scratch", ""));
        assertThat(cluster.findings()).containsExactly("error ClassNotServed StorageClass nfs");
        for (String serves : List.of("bucketwright.io/directory", "build-cache,nfs", "")) {
            cluster.leases.set(cluster.leases.size() - 1, described("bucketwright", lease, serves, ""));
            assertThat(cluster.findings()).as(serves).isEmpty();
        }
    }

    @Test
    void aLeaseWithoutLeaderNamesReleaseAndProvisioner() {
        RoleLease released = described("bucketwright", "bucketwright-buckets-0a1b2c3d", AZURE, "");
        released.lease().getSpec().setHolderIdentity("");
        cluster.leases.add(released);
        assertThat(cluster.message())
                .startsWith("The role buckets for azure.example.com/bucket of release bw has no leader:");
    }

    @Test
    void twoLeadersOfTheSameClaimsAreAnError() {
        cluster.leases.set(0, described("bucketwright", "bucketwright-buckets", AZURE, ""));
        cluster.leases.add(described("other", "bucketwright-buckets", AZURE, "team"));
        assertThat(cluster.findings()).containsExactly("error SeveralControllers Lease other/bucketwright-buckets");
        assertThat(cluster.message()).contains(AZURE, "bucketwright/bucketwright-buckets");

        cluster.leases.set(0, described("bucketwright", "bucketwright-buckets", AZURE, "other-team"));
        assertThat(cluster.findings()).isEmpty();
    }

    @Test
    void twoCosiControllersAreAnError() {
        cluster.leases.add(lease("other", "bucketwright-bucketclaims", "pod", NOW.minusSeconds(1)));
        assertThat(cluster.findings())
                .containsExactly("error SeveralControllers Lease other/bucketwright-bucketclaims");
    }

    @Test
    void podsThatAreNotReadyAreReported() {
        cluster.workloads.add(workload(1, 0));
        assertThat(cluster.findings()).containsExactly("error NoPodReady Deployment bw/bw-buckets");
        assertThat(cluster.diagnosis().getFirst().action())
                .isEqualTo("kubectl -n bw describe pods -l"
                        + " app.kubernetes.io/instance=bw,app.kubernetes.io/component=buckets");
        cluster.workloads.set(0, workload(2, 1));
        assertThat(cluster.findings()).containsExactly("warning PodsNotReady Deployment bw/bw-buckets");
        cluster.workloads.set(0, workload(0, 0));
        assertThat(cluster.findings()).isEmpty();
    }

    /** Rook and NooBaa use the same finalizer. */
    @Test
    void aClaimOfAnotherProvisionerDoesNotWaitForBucketwright() {
        cluster.add(storageClass("rook", "rook-ceph.ceph.rook.io/bucket"));
        ObjectBucketClaim claim = yaml(ObjectBucketClaim.class, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata:
                  name: photos
                  namespace: web
                  deletionTimestamp: "2026-11-17T11:00:00Z"
                  finalizers: [objectbucket.io/finalizer]
                spec: {storageClassName: rook, objectBucketName: obc-web-photos}
                status: {phase: Bound}
                """);
        cluster.add(claim);
        assertThat(cluster.findings()).containsExactly("error DeletionStuck ObjectBucketClaim web/photos");
        assertThat(cluster.message()).contains("rook-ceph.ceph.rook.io/bucket, which is not Bucketwright");
        assertThat(cluster.diagnosis().getFirst().action())
                .startsWith("Ask the administrator of rook-ceph.ceph.rook.io/bucket.")
                .doesNotContain("controller");

        cluster.allProvisionersKnown = false;
        assertThat(cluster.message())
                .contains("(removed by the provisioner rook-ceph.ceph.rook.io/bucket)")
                .doesNotContain("not Bucketwright");
        assertThat(cluster.diagnosis().getFirst().action())
                .startsWith("Is a controller for rook-ceph.ceph.rook.io/bucket running?");

        cluster.settings.add(new PublishedSettings("rook-ceph.ceph.rook.io/bucket", "s3", Map.of(), ""));
        assertThat(cluster.message()).contains("the role buckets of provisioner rook-ceph.ceph.rook.io/bucket");
    }

    @Test
    void aPendingClaimOfAnotherProvisionerIsThatProvisionersOnlyIfAllOfBucketwrightAreKnown() {
        cluster.add(storageClass("rook", "rook-ceph.ceph.rook.io/bucket"));
        cluster.add(yaml(ObjectBucketClaim.class, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: photos, namespace: web, creationTimestamp: "2026-11-17T11:00:00Z"}
                spec: {storageClassName: rook}
                """));
        assertThat(cluster.message())
                .endsWith("has the provisioner rook-ceph.ceph.rook.io/bucket, and Bucketwright serves only"
                        + " bucketwright.io/bucket: that provisioner must bind it.");
        cluster.allProvisionersKnown = false;
        assertThat(cluster.message())
                .endsWith("has the provisioner rook-ceph.ceph.rook.io/bucket. Is a controller for it running?");
    }

    @Test
    void whatATenantMayHaveWrittenIsOneLineOfInformation() {
        cluster.ignored.addAll(List.of("b", "a", "c", "d", "e", "f"));
        assertThat(cluster.findings()).containsExactly("info SettingsIgnored Namespace a");
        assertThat(cluster.message()).endsWith("Namespaces: a, b, c, d, e and 1 more.");
        assertThat(cluster.diagnosis().getFirst().action()).endsWith("--controller-namespace a");
    }

    @Test
    void aLeaderOfAnotherVersionThanItsChartIsReported() {
        RoleLease leader = described("bw", "bucketwright-buckets", "bucketwright.io/bucket", "");
        cluster.leases.set(0, leader);
        cluster.workloads.add(workload(1, 1));
        assertThat(cluster.findings()).as("neither says its version").isEmpty();

        leader.lease().getMetadata().getAnnotations().put("bucketwright.io/controller-version", "0.1.0");
        cluster.workloads.getFirst().object().getMetadata().getLabels().put("app.kubernetes.io/version", "0.2.0");
        assertThat(cluster.findings()).containsExactly("warning VersionDiffers Deployment bw/bw-buckets");
        assertThat(cluster.message()).contains("has version 0.1.0, and the chart version 0.2.0.");
        assertThat(cluster.diagnosis().getFirst().action())
                .contains("kubectl -n bw rollout status deployment bw-buckets");

        leader.lease().getMetadata().getAnnotations().put("bucketwright.io/controller-version", "0.2.0");
        assertThat(cluster.findings()).isEmpty();
        leader.lease().getMetadata().getAnnotations().put("bucketwright.io/controller-version", "development");
        assertThat(cluster.findings()).as("not from a jar").isEmpty();
    }

    @Test
    void theAdviceForAMissingDefinitionIsHelmIfHelmInstalledIt() {
        cluster.removeIf(
                CustomResourceDefinition.class,
                found -> found.getMetadata().getName().equals("objectbucketclaims.objectbucket.io"));
        assertThat(cluster.diagnosis().getFirst().action())
                .startsWith("If Helm installed the controllers, repeat helm upgrade with the same values.");
    }

    private static RoleLease described(String namespace, String name, String serves, String watched) {
        RoleLease lease = lease(namespace, name, "pod", NOW.minusSeconds(1));
        Map<String, String> annotations = new HashMap<>(Map.of(
                "bucketwright.io/serves", serves, "bucketwright.io/store", "azure", "bucketwright.io/release", "bw"));
        if (!watched.isEmpty()) {
            annotations.put("bucketwright.io/watch-namespace", watched);
        }
        lease.lease().getMetadata().setAnnotations(annotations);
        return lease;
    }

    private static RoleWorkload workload(int desired, int ready) {
        Deployment deployment = yaml(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: bw-buckets
                  namespace: bw
                  labels: {app.kubernetes.io/instance: bw, app.kubernetes.io/component: buckets}
                """);
        return new RoleWorkload(deployment, desired, ready, "bw-buckets", Optional.empty(), "");
    }
}
