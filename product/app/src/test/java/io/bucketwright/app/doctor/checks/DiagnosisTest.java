package io.bucketwright.app.doctor.checks;

import static io.bucketwright.app.doctor.checks.SampleCluster.NOW;
import static io.bucketwright.app.doctor.checks.SampleCluster.established;
import static io.bucketwright.app.doctor.checks.SampleCluster.lease;
import static io.bucketwright.app.doctor.checks.SampleCluster.properties;
import static io.bucketwright.app.doctor.checks.SampleCluster.storageClass;
import static io.bucketwright.app.doctor.checks.SampleCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.app.doctor.observation.AccountAccess;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.ParsedClass;
import io.bucketwright.app.doctor.observation.Permission;
import io.bucketwright.app.doctor.observation.RoleLease;
import io.bucketwright.app.doctor.observation.StoreAnswer;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks on clusters with one problem each. */
@Execution(ExecutionMode.CONCURRENT)
class DiagnosisTest {

    private final SampleCluster cluster = new SampleCluster();

    @Test
    void aClusterWithoutProblemsHasNoFindings() {
        cluster.add(claim("Bound", "2026-11-01T00:00:00Z", "True", "Bound"));
        cluster.add(objectBucket("web", "photos"));
        assertThat(cluster.findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "UNCONFIRMED; 2026-11-17T11:59:50Z; 0",
                "UNCONFIRMED; 2026-11-17T08:00:00Z; 1",
                "PUBLISHED; 2026-11-01T00:00:00Z; 0"
            })
    void credentialsThatMayWorkAreReportedAfterAWhile(String state, String since, int findings) {
        cluster.add(claim("Bound", "2026-11-01T00:00:00Z", "True", "Bound"));
        ObjectBucket bucket = objectBucket("web", "photos");
        bucket.setSpec(bucket.getSpec()
                .with(
                        "additionalState",
                        Map.of(
                                ObjectBucketNames.INTENT_STATE,
                                "{\"version\":1,\"claimNamespace\":\"web\",\"claimName\":\"photos\",\"claimUid\":"
                                        + "\"uid-of-photos\"}",
                                ObjectBucketNames.GRANTS,
                                "{\"version\":1,\"issued\":1,\"grants\":[{\"id\":\"1\",\"state\":\"" + state
                                        + "\",\"since\":\"" + since + "\"}]}")));
        cluster.add(bucket);
        assertThat(cluster.findings())
                .filteredOn(found -> found.startsWith("warning GrantUnconfirmed ObjectBucket "))
                .hasSize(findings);
    }

    @ParameterizedTest
    @CsvSource({
        "v1.27.16, error UnsupportedVersion",
        "v1.29.1+k3s1, warning NoAdmissionPolicies",
        "v1.99.0, info UntestedVersion",
        "v2, info UnknownVersion"
    })
    void theVersionOfTheServerIsCompared(String version, String expected) {
        cluster.version = version;
        assertThat(cluster.findings()).containsExactly(expected + " APIServer " + version);
    }

    @Test
    void aMissingDefinitionIsAnErrorOnlyIfItsGroupIsUsed() {
        cluster.removeIf(
                CustomResourceDefinition.class,
                found -> found.getSpec().getGroup().equals("cosi.io"));
        cluster.leases.removeIf(found -> found.role() == LeaseRole.COSI);
        assertThat(cluster.findings()).isEmpty();
        cluster.leases.add(lease("bucketwright-cosi"));
        assertThat(cluster.findings())
                .hasSize(6)
                .contains("error CrdMissing CustomResourceDefinition bucketrequests.cosi.io");
    }

    @Test
    void withoutAnyDefinitionAllAreMissing() {
        cluster.removeIf(CustomResourceDefinition.class, _ -> true);
        cluster.leases.clear();
        assertThat(cluster.findings())
                .hasSize(7)
                .allMatch(line -> line.startsWith("error CrdMissing"))
                .as("the design of 2020 is installed on request only")
                .noneMatch(line -> line.endsWith("cosi.io"));
    }

    @Test
    void aDefinitionOfAnotherVersionIsOutdatedAndOtherDescriptionsAreNot() {
        CustomResourceDefinition changed = cluster.definition("objectbucketclaims.objectbucket.io");
        JSONSchemaProps spec = Objects.requireNonNull(properties(changed).get("spec"));
        spec.setDescription("Other words.");
        assertThat(cluster.findings()).isEmpty();
        spec.getProperties().remove("storageClassName");
        assertThat(cluster.findings())
                .containsExactly("warning CrdOutdated CustomResourceDefinition objectbucketclaims.objectbucket.io");
    }

    @ParameterizedTest
    @CsvSource({"rook, Rook, false", "noobaa, NooBaa, true"})
    void definitionsOfOtherProjectsAreRecognized(String folder, String name, boolean dropsConditions)
            throws IOException {
        for (String file : List.of("objectbuckets", "objectbucketclaims")) {
            Path schema = Path.of("../api/src/test/resources/schemas", folder, file + ".yaml");
            replace(established(yaml(CustomResourceDefinition.class, Files.readString(schema))));
        }
        assertThat(cluster.findings())
                .containsExactlyInAnyOrder(
                        "info CrdOfAnotherProject CustomResourceDefinition objectbuckets.objectbucket.io",
                        "info CrdOfAnotherProject CustomResourceDefinition objectbucketclaims.objectbucket.io");
        assertThat(cluster.diagnosis())
                .allMatch(finding -> finding.message().contains("is from " + name + "."))
                .allMatch(finding -> finding.message().contains("drops conditions") == dropsConditions);
    }

    @Test
    void aDefinitionOfAnUnknownProjectIsAWarning() {
        CustomResourceDefinition changed = cluster.definition("bucketrequests.cosi.io");
        properties(changed).clear();
        assertThat(cluster.findings())
                .containsExactly("warning CrdUnknown CustomResourceDefinition bucketrequests.cosi.io");
    }

    @Test
    void aDefinitionThatIsNotEstablishedIsNotServed() {
        CustomResourceDefinition changed = cluster.definition("buckets.cosi.io");
        replace(new CustomResourceDefinitionBuilder(changed).withStatus(null).build());
        assertThat(cluster.findings()).containsExactly("error CrdNotServed CustomResourceDefinition buckets.cosi.io");
    }

    @Test
    void aLeaseThatIsNoLongerRenewedHasNoLeader() {
        RoleLease expired = lease("bucketwright", "bucketwright-orphans", "pod-1", NOW.minus(Duration.ofMinutes(90)));
        cluster.leases.add(expired);
        assertThat(cluster.findings()).containsExactly("error LeaseExpired Lease bucketwright/bucketwright-orphans");
        assertThat(cluster.message()).contains("role orphans", "pod-1", "1h30m ago");

        cluster.leases.set(3, new RoleLease(expired.role(), expired.lease(), true));
        assertThat(cluster.findings())
                .as("renewed while observed: only a clock differs")
                .isEmpty();

        cluster.leases.set(3, lease("bucketwright", "bucketwright-orphans", "", NOW));
        assertThat(cluster.findings()).containsExactly("error NoLeader Lease bucketwright/bucketwright-orphans");
    }

    @Test
    void aRoleThatObjectsNeedMustHaveALease() {
        cluster.leases.clear();
        assertThat(cluster.findings()).isEmpty();
        StorageClass fast = storageClass("fast", "bucketwright.io/bucket");
        cluster.add(fast);
        cluster.classes.add(new ParsedClass(fast, "s3", Optional.empty(), ""));
        assertThat(cluster.findings())
                .containsExactly(
                        "error NoLease Lease bucketwright/bucketwright-buckets",
                        "error ClassNotServed StorageClass fast");

        cluster.leasesProblem = "forbidden";
        assertThat(cluster.findings()).as("unknown is not missing").containsExactly("info NotChecked Lease *");
    }

    @Test
    void missingPermissionsAreNamedAndWhatCannotBeAskedIsReported() {
        Permission permission = new Permission("patch", "objectbucket.io", "objectbuckets/status", "", "");
        cluster.access.add(new AccountAccess(LeaseRole.BUCKETS, "bucketwright", "sa", List.of(permission), ""));
        assertThat(cluster.findings()).containsExactly("error PermissionMissing ServiceAccount bucketwright/sa");
        assertThat(cluster.message()).contains("patch objectbuckets/status.objectbucket.io");

        cluster.access.set(0, new AccountAccess(LeaseRole.BUCKETS, "bucketwright", "sa", List.of(), "forbidden"));
        assertThat(cluster.findings()).containsExactly("info NotChecked ServiceAccount bucketwright/sa");
    }

    @Test
    void invalidClassesAndSeveralDefaultsAreErrors() {
        StorageClass one = storageClass("one", "bucketwright.io/bucket");
        StorageClass two = storageClass("two", "bucketwright.io/bucket");
        cluster.classes.add(new ParsedClass(one, "s3", Optional.empty(), "parameter endpoint is required"));
        assertThat(cluster.findings()).containsExactly("error InvalidClass StorageClass one");
        assertThat(cluster.message()).contains("s3", "parameter endpoint is required");

        cluster.classes.set(0, new ParsedClass(one, "s3", Optional.empty(), ""));
        cluster.classes.add(new ParsedClass(two, "s3", Optional.empty(), ""));
        one.getMetadata().setAnnotations(Map.of("bucketwright.io/default-bucket-class", "true"));
        assertThat(cluster.findings()).isEmpty();
        two.getMetadata().setAnnotations(Map.of("bucketwright.io/default-bucket-class", "true"));
        assertThat(cluster.findings()).containsExactly("error SeveralDefaultClasses StorageClass one");
    }

    @Test
    void aDirectoryClassIsParsedAsItsProvisionerDoes() {
        StorageClass directories = storageClass("nfs", "bucketwright.io/directory");
        directories.setParameters(Map.of("mode", "0999"));
        cluster.add(directories);
        cluster.leases.add(lease("bucketwright-directories-1a2b3c4d"));
        assertThat(cluster.findings()).containsExactly("error InvalidClass StorageClass nfs");
        directories.setParameters(Map.of("mode", "0750"));
        assertThat(cluster.findings()).isEmpty();
    }

    @Test
    void aBucketClassNeedsTheSidecarOfItsProvisioner() {
        cluster.add(yaml(BucketClass.class, """
                apiVersion: cosi.io/v1alpha1
                kind: BucketClass
                metadata: {name: gold}
                provisioner: ceph/rgw.example.com
                protocol: s3
                """));
        cluster.leases.add(lease("elsewhere", "cosi-sidecar-rgw.example.com", "pod", NOW));
        assertThat(cluster.findings()).containsExactly("error ClassNotServed BucketClass gold");
        cluster.leases.add(lease("ceph", "cosi-sidecar-rgw.example.com", "pod", NOW));
        assertThat(cluster.findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "OK, ",
        "SECRET_FORBIDDEN, info NotChecked",
        "SECRET_MISSING, error SecretMissing",
        "DENIED, error StoreDenied",
        "UNREACHABLE, error StoreUnreachable",
        "NOT_RESOLVED, info NotChecked",
        "FAILED, error StoreFailed"
    })
    void theAnswerOfAStoreIsReported(StoreAnswer.Result result, String expected) {
        cluster.stores.add(new StoreAnswer("fast", result, "details"));
        assertThat(cluster.findings())
                .isEqualTo(expected == null ? List.of() : List.of(expected + " StorageClass fast"));
    }

    @ParameterizedTest
    @CsvSource({
        "Pending, 2026-11-17T11:59:00Z, False, Unavailable, ",
        "Pending, 2026-11-17T11:00:00Z, False, Unavailable, error ClaimPending",
        "Failed, 2026-11-17T11:59:59Z, False, Invalid, error ClaimFailed",
        "Released, 2026-11-17T11:59:59Z, False, ObjectBucketMissing, warning ClaimReleased",
        "Bound, 2026-11-17T11:00:00Z, True, OptionsNotApplied, warning ClaimWarning",
        "Bound, 2026-11-17T11:00:00Z, False, BucketMissing, warning ClaimWarning",
        "Bound, 2026-11-17T11:00:00Z, False, BucketReplaced, warning ClaimWarning",
        "Bound, 2026-11-17T11:00:00Z, False, AccessMissing, warning ClaimWarning"
    })
    void aClaimThatIsNotReadyIsReportedWithItsReason(
            String phase, String created, String status, String reason, String expected) {
        cluster.add(claim(phase, created, status, reason));
        cluster.add(objectBucket("web", "photos"));
        assertThat(cluster.findings())
                .isEqualTo(expected == null ? List.of() : List.of(expected + " ObjectBucketClaim web/photos"));
        if (expected != null) {
            assertThat(cluster.message()).isEqualTo(reason + ": details");
        }
    }

    @Test
    void aClaimWithoutConditionNamesItsClass() {
        ObjectBucketClaim claim = claim("Pending", "2026-11-17T11:00:00Z", "", "");
        cluster.add(claim);
        assertThat(cluster.message()).contains("StorageClass fast does not exist");
        cluster.add(storageClass("fast", "example.com/other"));
        assertThat(cluster.message()).contains("example.com/other", "bucketwright.io/bucket");
    }

    @Test
    void aRequestThatWaitsForItsUserIsNoProblem() {
        cluster.add(request("Creating", "WaitingForAccessRequest"));
        assertThat(cluster.findings()).isEmpty();
        cluster.replace(request("ErrBucketClassNotFound", "BucketClassNotFound"));
        assertThat(cluster.findings()).containsExactly("error RequestFailed BucketRequest web/photos");
        cluster.replace(request("Creating", "InProgress"));
        assertThat(cluster.findings()).containsExactly("error RequestPending BucketRequest web/photos");
    }

    @Test
    void anObjectBucketWithoutItsClaimIsAnOrphan() {
        cluster.add(objectBucket("web", "gone"));
        assertThat(cluster.findings()).containsExactly("warning OrphanedObjectBucket ObjectBucket obc-web-gone");
        cluster.namespace = "other";
        assertThat(cluster.findings()).as("claims of web were not listed").isEmpty();
    }

    @Test
    void aBoundClaimWithoutItsObjectBucketHasLostIt() {
        cluster.add(claim("Bound", "2026-11-17T11:00:00Z", "True", "Bound"));
        assertThat(cluster.findings()).containsExactly("error ObjectBucketMissing ObjectBucketClaim web/photos");
        cluster.problems.put(ObjectBucket.class, "forbidden");
        assertThat(cluster.findings()).containsExactly("info NotChecked ObjectBucket *");
    }

    @Test
    void cosiObjectsWithoutTheirRequestAreOrphans() {
        cluster.add(bucket("Creating"));
        cluster.add(yaml(BucketAccess.class, """
                apiVersion: cosi.io/v1alpha1
                kind: BucketAccess
                metadata: {name: ba-1}
                spec:
                  bucketAccessRequestName: gone
                  bucketAccessRequestNamespace: web
                  bucketAccessRequestUid: u
                """));
        assertThat(cluster.findings())
                .containsExactly("warning OrphanedBucket Bucket b-1", "warning OrphanedBucketAccess BucketAccess ba-1");
        assertThat(cluster.diagnosis().stream().map(Finding::action))
                .as("objectstorage.k8s.io has the same kinds")
                .containsExactly("kubectl describe bucket.cosi.io b-1", "kubectl delete bucketaccess.cosi.io ba-1");
        cluster.removeIf(BucketAccess.class, _ -> true);
        cluster.replace(bucket("Released"));
        assertThat(cluster.findings()).as("retained on purpose").containsExactly("info UnusedBuckets Bucket b-1");
        assertThat(cluster.message()).startsWith("1 Bucket is Released").endsWith(" b-1.");
        for (int more = 0; more < 10; more++) {
            cluster.add(bucket("Released"));
        }
        assertThat(cluster.message()).startsWith("11 Buckets are Released").endsWith(" and 3 more.");
    }

    @Test
    void aPendingClaimOfADirectoryClassIsReportedUnlessItWaitsForAPod() {
        cluster.leases.add(lease("bucketwright-directories-abc"));
        StorageClass directories = storageClass("directories", "bucketwright.io/directory");
        directories.setParameters(Map.of("defaultOwnerAssetUid", "1000", "defaultOwnerAssetGid", "1000"));
        cluster.add(directories);
        cluster.add(volumeClaim("directories", "2026-11-17T11:58:00Z"));
        assertThat(cluster.findings()).as("two minutes").isEmpty();
        PersistentVolumeClaim claim = volumeClaim("directories", "2026-11-17T11:00:00Z");
        cluster.replace(claim);
        assertThat(cluster.findings()).containsExactly("error VolumeClaimPending PersistentVolumeClaim web/cache");
        directories.setVolumeBindingMode("WaitForFirstConsumer");
        assertThat(cluster.findings()).as("no pod uses it").isEmpty();
        claim.getMetadata().setAnnotations(Map.of("volume.kubernetes.io/selected-node", "node-1"));
        assertThat(cluster.findings()).hasSize(1);
        cluster.replace(volumeClaim("of-others", "2026-11-17T11:00:00Z"));
        assertThat(cluster.findings()).as("not one of our classes").isEmpty();
    }

    private static PersistentVolumeClaim volumeClaim(String storageClass, String created) {
        return yaml(PersistentVolumeClaim.class, """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {namespace: web, name: cache, creationTimestamp: "%s"}
                spec: {storageClassName: %s}
                status: {phase: Pending}
                """.formatted(created, storageClass));
    }

    @Test
    void aDeletionThatDoesNotEndNamesTheControllerOfItsFinalizer() {
        ObjectBucket deleted = objectBucket("web", "gone");
        deleted.getMetadata().setFinalizers(List.of("objectbucket.io/finalizer", "example.com/audit"));
        deleted.getMetadata().setDeletionTimestamp("2026-11-17T11:58:00Z");
        cluster.add(deleted);
        assertThat(cluster.findings()).as("two minutes").isEmpty();
        deleted.getMetadata().setDeletionTimestamp("2026-11-17T09:30:00Z");
        assertThat(cluster.findings()).containsExactly("error DeletionStuck ObjectBucket obc-web-gone");
        assertThat(cluster.message())
                .contains("2h30m", "removed by the role buckets)", "example.com/audit (removed by another controller)");

        cluster.leases.removeIf(found -> found.role() == LeaseRole.BUCKETS);
        assertThat(cluster.diagnosis().stream().map(Finding::message))
                .anyMatch(message -> message.contains("role buckets, which has no leader"));
    }

    @Test
    void onlyVolumesOfTheDirectoryProvisionerAreChecked() {
        PersistentVolume volume = yaml(PersistentVolume.class, """
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: pv-1
                  deletionTimestamp: "2026-11-17T09:30:00Z"
                  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
                """);
        cluster.add(volume);
        assertThat(cluster.findings()).isEmpty();
        volume.getMetadata().setAnnotations(Map.of("bucketwright.io/directory-root", "id"));
        assertThat(cluster.findings()).containsExactly("error DeletionStuck PersistentVolume pv-1");
    }

    @Test
    void errorsComeFirstAndTextOfOthersCannotChangeTheTerminal() {
        cluster.add(objectBucket("web", "gone"));
        cluster.add(claim("Failed", "2026-11-17T11:00:00Z", "False", "Invalid\u001b[31m"));
        assertThat(cluster.findings())
                .containsExactly(
                        "error ClaimFailed ObjectBucketClaim web/photos",
                        "warning OrphanedObjectBucket ObjectBucket obc-web-gone");
        assertThat(cluster.diagnosis().getFirst().message()).doesNotContain("\u001b");
    }

    private void replace(CustomResourceDefinition definition) {
        String name = definition.getMetadata().getName();
        cluster.removeIf(
                CustomResourceDefinition.class,
                found -> found.getMetadata().getName().equals(name));
        cluster.add(definition);
    }

    /** Without a condition if the status of the condition is empty. */
    private static ObjectBucketClaim claim(String phase, String created, String status, String reason) {
        ObjectBucketClaim claim = yaml(ObjectBucketClaim.class, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {namespace: web, name: photos, uid: uid-of-photos, creationTimestamp: "%s"}
                spec: {storageClassName: fast, objectBucketName: obc-web-photos}
                status:
                  phase: %s
                  conditions:
                  - {type: Ready, status: "%s", reason: X, message: details}
                """.formatted(created, phase, status));
        Objects.requireNonNull(claim.getStatus())
                .condition("Ready")
                .orElseThrow()
                .setReason(reason);
        if (status.isEmpty()) {
            claim.setStatus(null);
        }
        return claim;
    }

    private static ObjectBucket objectBucket(String namespace, String name) {
        return yaml(ObjectBucket.class, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucket
                metadata: {name: obc-%1$s-%2$s}
                spec: {storageClassName: fast, claimRef: {namespace: %1$s, name: %2$s, uid: uid-of-%2$s}}
                """.formatted(namespace, name));
    }

    private static BucketRequest request(String phase, String reason) {
        return yaml(BucketRequest.class, """
                apiVersion: cosi.io/v1alpha1
                kind: BucketRequest
                metadata: {namespace: web, name: photos, creationTimestamp: "2026-11-17T11:00:00Z"}
                spec: {protocol: s3}
                status:
                  phase: %s
                  conditions:
                  - {type: Ready, status: "False", reason: %s, message: details}
                """.formatted(phase, reason));
    }

    private static Bucket bucket(String phase) {
        return yaml(Bucket.class, """
                apiVersion: cosi.io/v1alpha1
                kind: Bucket
                metadata: {name: b-1}
                spec:
                  provisioner: ceph/rgw.example.com
                  protocol: {s3: {bucketName: x}}
                  bucketRequest: {namespace: web, name: gone, uid: u}
                status: {phase: %s}
                """.formatted(phase));
    }
}
