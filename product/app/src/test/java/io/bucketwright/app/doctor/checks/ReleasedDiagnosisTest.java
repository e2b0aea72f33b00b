package io.bucketwright.app.doctor.checks;

import static io.bucketwright.app.doctor.checks.SampleCluster.NOW;
import static io.bucketwright.app.doctor.checks.SampleCluster.established;
import static io.bucketwright.app.doctor.checks.SampleCluster.lease;
import static io.bucketwright.app.doctor.checks.SampleCluster.properties;
import static io.bucketwright.app.doctor.checks.SampleCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checks on clusters with one problem each of the released kinds of COSI. */
class ReleasedDiagnosisTest {

    private static final Instant OLD = NOW.minusSeconds(600);

    private final SampleCluster cluster = new SampleCluster();

    @Test
    void readyObjectsOfAServedClassHaveNoFindings() {
        serve();
        cluster.add(bucket("1-2"));
        cluster.add(claim("photos", true));
        cluster.add(access(true));
        assertThat(cluster.findings()).isEmpty();
    }

    @Test
    void definitionsOfUpstreamAreInformationAndOnesWithoutOurVersionAreErrors() {
        CustomResourceDefinition found = cluster.definition("bucketclaims.objectstorage.k8s.io");
        properties(found).remove("status");
        assertThat(cluster.findings())
                .containsExactly("info CrdOfAnotherProject CustomResourceDefinition bucketclaims.objectstorage.k8s.io");
        assertThat(cluster.message()).contains("Kubernetes SIG Storage", "v1alpha1", "works with it");

        cluster.removeIf(CustomResourceDefinition.class, found::equals);
        cluster.add(established(new CustomResourceDefinitionBuilder(found)
                .editSpec()
                .editFirstVersion()
                .withName("v1alpha2")
                .endVersion()
                .endSpec()
                .build()));
        assertThat(cluster.findings())
                .containsExactly("error CrdNotServed CustomResourceDefinition bucketclaims.objectstorage.k8s.io");
        assertThat(cluster.message()).contains("version v1alpha1 of this kind (its versions: v1alpha2)");
    }

    @Test
    void missingDefinitionsAreErrorsIfASidecarRuns() {
        cluster.removeIf(
                CustomResourceDefinition.class,
                found -> found.getSpec().getGroup().equals("objectstorage.k8s.io"));
        cluster.leases.removeIf(found -> found.role() == LeaseRole.BUCKET_CLAIMS);
        assertThat(cluster.findings()).isEmpty();
        cluster.leases.add(lease("rook", "rgw-example-com-cosi", "pod", NOW));
        assertThat(cluster.findings()).hasSize(5).allMatch(line -> line.startsWith("error CrdMissing"));
    }

    @Test
    void aClassNeedsASidecarOfItsDriverInAnyNamespace() {
        cluster.add(bucketClass("Rgw.Example.com"));
        cluster.add(accessClass());
        assertThat(cluster.findings())
                .containsExactly(
                        "error ClassNotServed BucketClass.objectstorage.k8s.io gold",
                        "error ClassNotServed BucketAccessClass.objectstorage.k8s.io gold");
        assertThat(cluster.diagnosis().getFirst().message()).contains("no sidecar holds a Lease rgw-example-com-cosi");
        cluster.leases.add(lease("rook", "rgw-example-com-cosi", "pod", NOW));
        assertThat(cluster.findings()).isEmpty();
        cluster.leasesProblem = "forbidden";
        cluster.leases.clear();
        assertThat(cluster.findings()).as("unknown is not missing").containsExactly("info NotChecked Lease *");
    }

    @Test
    void parametersThatTheDriverRefusesAreNamed() {
        serve();
        cluster.refused.put("gold", "option \"regoin\" is unknown");
        assertThat(cluster.findings()).containsExactly("error InvalidClass BucketClass.objectstorage.k8s.io gold");
        assertThat(cluster.message()).contains("Driver Rgw.Example.com refuses", "regoin");
    }

    @Test
    void classesNeedAControllerOfEitherImplementationAndNotOfBoth() {
        serve();
        cluster.leases.removeIf(found -> found.role() == LeaseRole.BUCKET_CLAIMS);
        assertThat(cluster.findings()).containsExactly("error NoLease Lease bucketwright/bucketwright-bucketclaims");
        cluster.leases.add(lease("cosi-system", "leader-lock-cosi-controller-manager", "pod", NOW));
        assertThat(cluster.findings()).isEmpty();
        cluster.leases.add(lease("bucketwright-bucketclaims"));
        assertThat(cluster.findings())
                .containsExactly("error SeveralControllers Lease cosi-system/leader-lock-cosi-controller-manager");

        cluster.leases.removeIf(found -> found.isOfReferenceController());
        cluster.leases.add(lease("cosi-system", "leader-lock-cosi-controller-manager", "", OLD));
        assertThat(cluster.findings()).as("what a replaced controller leaves").isEmpty();
    }

    @Test
    void aClaimThatIsNotReadyIsReportedWithItsNewestEvent() {
        serve();
        BucketClaim claim = claim("photos", false);
        cluster.add(claim);
        assertThat(cluster.findings()).containsExactly("error BucketClaimNotReady BucketClaim web/photos");
        assertThat(cluster.message()).as("what the controller would do").contains("cosi controller");

        cluster.add(event("photos", "WaitingForProvisioner", NOW.minusSeconds(60)));
        cluster.add(event("photos", "FailedCreateBucket", OLD));
        assertThat(cluster.message()).isEqualTo("WaitingForProvisioner: details of WaitingForProvisioner");
        assertThat(cluster.diagnosis().getFirst().action())
                .isEqualTo("bucketwright claim describe -n web bucketclaim/photos");

        claim.getMetadata().setCreationTimestamp("2026-11-17T11:59:00Z");
        assertThat(cluster.findings()).as("not older than --stuck-after").isEmpty();
    }

    @Test
    void anAccessThatIsNotGrantedIsReportedWithWhatIsMissing() {
        serve();
        cluster.add(access(false));
        assertThat(cluster.findings())
                .containsExactly("error BucketAccessNotGranted BucketAccess.objectstorage.k8s.io web/viewer");
        assertThat(cluster.message()).contains("BucketClaim photos does not exist in its namespace");
        cluster.removeIf(ReleasedBucketAccessClass.class, _ -> true);
        assertThat(cluster.message()).contains("BucketAccessClass gold does not exist");
        cluster.add(event("viewer", "FailedGrantAccess", NOW));
        assertThat(cluster.message()).startsWith("FailedGrantAccess: ");
    }

    @Test
    void aDeletionThatDoesNotEndNamesTheSidecarAndTheNewestEvent() {
        serve();
        ReleasedBucket bucket = bucket("1-2");
        bucket.getMetadata().setUid("bucket-uid");
        bucket.getMetadata().setDeletionTimestamp("2026-11-17T09:30:00Z");
        bucket.getMetadata().setFinalizers(List.of("cosi.objectstorage.k8s.io/bucket-protection"));
        cluster.add(bucket);
        cluster.add(claim("photos", true));
        cluster.add(event("bucket", "FailedDeleteBucket", NOW));
        assertThat(cluster.findings()).containsExactly("error DeletionStuck Bucket.objectstorage.k8s.io bucket-1-2");
        assertThat(cluster.message())
                .contains(
                        "removed by the sidecar of driver Rgw.Example.com)", "Its newest event is FailedDeleteBucket");
        cluster.leases.removeIf(found -> found.role() == LeaseRole.RELEASED_SIDECAR);
        assertThat(cluster.diagnosis().stream().map(Finding::message))
                .anyMatch(message -> message.contains("driver Rgw.Example.com, which has no leader)"));
    }

    @Test
    void aRetainedBucketOfADeletedClaimIsInformation() {
        serve();
        cluster.add(bucket("1-2"));
        assertThat(cluster.findings()).containsExactly("info UnusedBuckets Bucket.objectstorage.k8s.io bucket-1-2");
        assertThat(cluster.diagnosis().getFirst().action())
                .contains("the driver decides about objects", "only with onNotEmpty: purge")
                .doesNotContain("deletes the data");
        cluster.add(claim("photos", true));
        assertThat(cluster.findings()).isEmpty();
    }

    /** A class, and a sidecar that serves it. */
    private void serve() {
        cluster.add(bucketClass("Rgw.Example.com"));
        cluster.add(accessClass());
        cluster.leases.add(lease("rook", "rgw-example-com-cosi", "pod", NOW));
    }

    private static ReleasedBucketClass bucketClass(String driver) {
        return yaml(ReleasedBucketClass.class, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClass
                metadata: {name: gold}
                driverName: %s
                deletionPolicy: Delete
                """.formatted(driver));
    }

    private static ReleasedBucketAccessClass accessClass() {
        return yaml(ReleasedBucketAccessClass.class, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketAccessClass
                metadata: {name: gold}
                driverName: rgw.example.com
                authenticationType: Key
                """);
    }

    /** The uid is that of the Bucket's claim. */
    private static BucketClaim claim(String name, boolean ready) {
        return yaml(BucketClaim.class, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClaim
                metadata: {namespace: web, name: %s, uid: 1-2, creationTimestamp: "%s"}
                spec: {bucketClassName: gold, protocols: [S3]}
                status: %s
                """.formatted(
                        name, OLD, ready ? "{bucketReady: true, bucketName: bucket-1-2}" : "{}"));
    }

    private static ReleasedBucketAccess access(boolean granted) {
        return yaml(ReleasedBucketAccess.class, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketAccess
                metadata: {namespace: web, name: viewer, uid: viewer-uid, creationTimestamp: "%s"}
                spec: {bucketClaimName: photos, bucketAccessClassName: gold, credentialsSecretName: viewer}
                status: {accessGranted: %s}
                """.formatted(OLD, granted));
    }

    private static ReleasedBucket bucket(String claimUid) {
        return yaml(ReleasedBucket.class, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: Bucket
                metadata: {name: bucket-%1$s}
                spec:
                  driverName: Rgw.Example.com
                  bucketClassName: gold
                  protocols: [S3]
                  bucketClaim: {namespace: web, name: photos, uid: %1$s}
                status: {bucketReady: true}
                """.formatted(claimUid));
    }

    private static Event event(String object, String reason, Instant time) {
        Map<String, String> uids = Map.of("photos", "1-2", "viewer", "viewer-uid", "bucket", "bucket-uid");
        return yaml(Event.class, """
                apiVersion: v1
                kind: Event
                metadata: {namespace: web, name: %1$s}
                involvedObject: {uid: %2$s}
                reason: %1$s
                message: details of %1$s
                eventTime: "%3$s"
                """.formatted(
                        reason, uids.get(object), time.toString().replace("Z", ".000000Z")));
    }
}
