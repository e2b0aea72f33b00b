package io.bucketwright.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.RolePermissions;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code bucketwright doctor} on a real cluster with provoked defects. Objects of other tests may be in its report too. */
@OnCluster
class DoctorIT {

    private static final String OURS = "bucketwright.io/bucket";
    private static final String SECRET = "never-print-this-key-3141592653";

    private final List<HasMetadata> made = new ArrayList<>();
    private String namespace = "";

    @BeforeEach
    void install(TestCluster cluster) {
        namespace = cluster.namespace();
        cluster.install(Crds.objectBuckets());
        cluster.install(Crds.cosi());
        cluster.install(Crds.released());
    }

    @AfterEach
    void remove(TestCluster cluster) {
        made.reversed().forEach(cluster::forceDelete);
    }

    @Test
    void defectsAreReportedWithTheirObjectAndNothingIsChanged(TestCluster cluster) throws Exception {
        provokeDefects(cluster);
        ApiUser user = cluster.user("doctor");
        ClaimShell shell = shell(user);

        assertThat(shell.run(new DoctorCommand(), "-o", "json")).as(shell.err()).isEqualTo(1);
        JsonNode report = new ObjectMapper().readTree(shell.out());
        assertThat(report.path("version").asInt()).isEqualTo(1);
        assertThat(report.path("serverVersion").asText()).startsWith("v1.");
        assertThat(report.path("errors").asInt()).isGreaterThan(5);
        assertThat(reasons(report))
                .contains(
                        "error leaders LeaseExpired Lease/" + namespace + "/bucketwright-buckets",
                        "error permissions PermissionMissing ServiceAccount/" + namespace + "/bucketwright-buckets",
                        "error permissions PermissionMissing ServiceAccount/" + namespace
                                + "/any-release-bucketwright-releaser",
                        "error classes InvalidClass StorageClass//" + namespace + "-invalid",
                        "error classes ClassNotServed BucketClass//" + namespace,
                        "error stores StoreUnreachable StorageClass//" + namespace + "-down",
                        "error stores SecretMissing StorageClass//" + namespace + "-keyless",
                        "error claims ClaimPending ObjectBucketClaim/" + namespace + "/lonely",
                        "warning orphans OrphanedObjectBucket ObjectBucket//" + namespace + "-orphan",
                        "error finalizers DeletionStuck ObjectBucketClaim/" + namespace + "/stuck")
                .contains(
                        "error classes ClassNotServed BucketClass.objectstorage.k8s.io//" + namespace,
                        "error classes InvalidClass BucketClass.objectstorage.k8s.io//" + namespace,
                        "error claims BucketClaimNotReady BucketClaim/" + namespace + "/lonely",
                        "error claims BucketAccessNotGranted BucketAccess.objectstorage.k8s.io/" + namespace
                                + "/lonely",
                        "error finalizers DeletionStuck BucketClaim/" + namespace + "/stuck",
                        "error permissions PermissionMissing ServiceAccount/" + namespace
                                + "/bucketwright-bucketclaims",
                        "error permissions PermissionMissing ServiceAccount/" + namespace + "/any-release-driver")
                .doesNotContain(
                        "error permissions PermissionMissing ServiceAccount/" + namespace + "/bucketwright-cosi");
        assertThat(message(report, "BucketClaimNotReady", "lonely")).startsWith("BucketClassNotFound: no such class");
        assertThat(message(report, "InvalidClass", namespace)).contains("regoin");
        assertThat(message(report, "PermissionMissing", "bucketwright-bucketclaims"))
                .contains("objectstorage.k8s.io")
                .doesNotContain("secrets");
        assertThat(reasons(report))
                .as("the definitions that the API server returns are those of this version")
                .noneMatch(line -> line.contains(" crds "));
        assertThat(message(report, "StoreUnreachable", namespace + "-down")).contains("127.0.0.1");
        assertThat(shell.out() + shell.err()).doesNotContain(SECRET);

        assertThat(shell.run(new DoctorCommand(), "--only", "claims,finalizers"))
                .isEqualTo(1);
        assertThat(shell.out().replaceAll("\\s+", " "))
                .contains(
                        "ERROR ClaimPending: ObjectBucketClaim " + namespace + "/lonely",
                        "> kubectl describe -n " + namespace + " objectbucketclaim lonely")
                .doesNotContain("InvalidClass");
        assertThat(shell.out().lines()).allMatch(line -> line.length() <= 80);

        RequestCounts requests = cluster.requests(user);
        assertThat(requests.writes())
                .as("Only access reviews, which store nothing: %s", requests)
                .isEqualTo(requests.of("create", "subjectaccessreviews"))
                .isPositive();
    }

    /** A release for Azure that leads, with a class default. */
    @Test
    void settingsAreThoseThatALeaderPublishes(TestCluster cluster) throws Exception {
        String served = namespace + ".azure.example.com/bucket";
        lease(cluster, "bucketwright-buckets-0a1b2c3d", served, "azure", """
                {"storageAccount":"photos"}""");
        String parameters = "secretName: administrator, secretNamespace: " + namespace;
        storageClass(cluster, "azure", served, "{" + parameters + "}");
        storageClass(cluster, "wrong", served, "{iamEndpoint: 'https://iam.example.com', " + parameters + "}");

        ClaimShell shell = shell(cluster.user("settings"));
        assertThat(shell.run(new DoctorCommand(), "-o", "json", "--only=classes"))
                .isEqualTo(1);
        assertThat(reasons(new ObjectMapper().readTree(shell.out())))
                .contains("error classes InvalidClass StorageClass//" + namespace + "-wrong")
                .doesNotContain(
                        "error classes InvalidClass StorageClass//" + namespace + "-azure",
                        "error classes ClassNotServed StorageClass//" + namespace + "-azure");
    }

    /** Anybody who may create Leases in one namespace could otherwise say where the administrator's requests are sent. */
    @Test
    void settingsThatATenantPublishesAreIgnored(TestCluster cluster) throws Exception {
        String served = namespace + ".example.com/bucket";
        lease(cluster, "bucketwright-buckets", served, "s3", """
                {"endpoint":"https://127.0.0.1:1","onNotEmpty":"perhaps"}""");
        administratorSecret(cluster);
        storageClass(cluster, "tenant", served, "{secretName: administrator, secretNamespace: " + namespace + "}");

        ClaimShell shell = new ClaimShell(
                cluster.user("untrusting").kubeconfig(),
                "--controller-namespace=bucketwright",
                "--provisioner=" + served);
        assertThat(shell.run(new DoctorCommand(), "-o", "json", "--only=leaders,classes,stores"))
                .isEqualTo(1);
        JsonNode report = new ObjectMapper().readTree(shell.out());
        assertThat(message(report, "InvalidClass", namespace + "-tenant")).doesNotContain("onNotEmpty");
        assertThat(reasons(report))
                .anyMatch(line -> line.startsWith("info leaders SettingsIgnored Namespace//"))
                .contains("error classes ClassNotServed StorageClass//" + namespace + "-tenant")
                .doesNotContain("error stores StoreUnreachable StorageClass//" + namespace + "-tenant");
    }

    /** Of a leader. */
    private void lease(TestCluster cluster, String name, String serves, String store, String classDefaults) {
        apply(cluster, """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata:
                  name: %s
                  annotations:
                    bucketwright.io/serves: %s
                    bucketwright.io/store: %s
                    bucketwright.io/class-defaults: '%s'
                spec: {holderIdentity: pod, leaseDurationSeconds: 3600, renewTime: "%s"}
                """.formatted(
                        name,
                        serves,
                        store,
                        classDefaults,
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z")));
    }

    private void administratorSecret(TestCluster cluster) {
        apply(cluster, """
                apiVersion: v1
                kind: Secret
                metadata: {name: administrator}
                stringData: {AWS_ACCESS_KEY_ID: %1$s, AWS_SECRET_ACCESS_KEY: %1$s}
                """.formatted(SECRET));
    }

    @Test
    void aTenantLearnsWhatWasNotChecked(TestCluster cluster) throws Exception {
        ApiUser tenant = cluster.user(
                "tenant", List.of(TestCluster.rule("objectbucket.io", List.of("objectbucketclaims"), "list")));
        ClaimShell shell = shell(tenant);
        shell.succeeds(new DoctorCommand(), "-o", "json", "-n", namespace);
        assertThat(reasons(new ObjectMapper().readTree(shell.out())))
                .contains(
                        "info leaders NotChecked Lease//*",
                        "info classes NotChecked StorageClass//*",
                        "info claims NotChecked BucketClaim.objectstorage.k8s.io//*",
                        "info orphans NotChecked ObjectBucket//*")
                .doesNotContain("info claims NotChecked ObjectBucketClaim//*");
        shell.succeeds(new DoctorCommand(), "-n", namespace)
                .contains("classes      incomplete", "claims       incomplete", "No problems found.");
    }

    private ClaimShell shell(ApiUser user) {
        return new ClaimShell(user.kubeconfig(), "--controller-namespace=" + namespace, "--stuck-after=0s");
    }

    private void provokeDefects(TestCluster cluster) {
        apply(cluster, """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: bucketwright-buckets}
                spec:
                  holderIdentity: controller-0
                  leaseDurationSeconds: 3
                  renewTime: "2026-01-01T00:00:00.000000Z"
                """);
        serviceAccount(cluster, "bucketwright-buckets");
        apply(cluster, """
                apiVersion: v1
                kind: ServiceAccount
                metadata:
                  name: any-release-bucketwright-releaser
                  labels: {app.kubernetes.io/name: bucketwright, app.kubernetes.io/component: releaser}
                """);
        permitCosi(cluster);
        provokeReleasedDefects(cluster);
        storageClass(cluster, "invalid", OURS, "{endpoint: 'https://127.0.0.1:1', onNotEmpty: perhaps}");
        administratorSecret(cluster);
        storageClass(
                cluster,
                "down",
                OURS,
                "{endpoint: 'http://127.0.0.1:1', secretName: administrator, secretNamespace: " + namespace + "}");
        storageClass(
                cluster,
                "keyless",
                OURS,
                "{endpoint: 'http://127.0.0.1:1', secretName: nothing, secretNamespace: " + namespace + "}");
        apply(cluster, """
                apiVersion: cosi.io/v1alpha1
                kind: BucketClass
                metadata: {name: %1$s}
                provisioner: %1$s/s3.example.com
                protocol: s3
                """.formatted(namespace));
        claim(cluster, "lonely", "");
        apply(cluster, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucket
                metadata: {name: %1$s-orphan}
                spec: {storageClassName: none, claimRef: {namespace: %1$s, name: former, uid: 1-2-3}}
                """.formatted(namespace));
        claim(cluster, "stuck", "finalizers: [objectbucket.io/finalizer]");
        cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(namespace)
                .withName("stuck")
                .delete();
    }

    private void provokeReleasedDefects(TestCluster cluster) {
        serviceAccount(cluster, "bucketwright-bucketclaims");
        apply(cluster, """
                apiVersion: v1
                kind: ServiceAccount
                metadata:
                  name: any-release-driver
                  labels:
                    app.kubernetes.io/name: bucketwright
                    app.kubernetes.io/component: driver-s3.example.com
                    bucketwright.io/cosi-api: objectstorage.k8s.io
                """);
        apply(cluster, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClass
                metadata: {name: %s}
                driverName: s3.bucketwright.io
                deletionPolicy: Delete
                parameters: {regoin: eu-1}
                """.formatted(namespace));
        apply(cluster, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClaim
                metadata: {name: lonely}
                spec: {bucketClassName: no-such-class, protocols: [S3]}
                """);
        apply(cluster, """
                apiVersion: v1
                kind: Event
                metadata: {name: lonely}
                involvedObject:
                  apiVersion: objectstorage.k8s.io/v1alpha1
                  kind: BucketClaim
                  namespace: %s
                  name: lonely
                  uid: %s
                reason: BucketClassNotFound
                message: no such class
                type: Warning
                """.formatted(namespace, made.getLast().getMetadata().getUid()));
        apply(cluster, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketAccess
                metadata: {name: lonely}
                spec: {bucketClaimName: lonely, bucketAccessClassName: none, credentialsSecretName: lonely}
                """);
        apply(cluster, """
                apiVersion: objectstorage.k8s.io/v1alpha1
                kind: BucketClaim
                metadata:
                  name: stuck
                  finalizers: [cosi.objectstorage.k8s.io/bucketclaim-protection]
                spec: {bucketClassName: no-such-class, protocols: [S3]}
                """);
        cluster.admin().resource(made.getLast()).delete();
    }

    /** The service account of the COSI controller has exactly what deploy/ gives to it. */
    private void permitCosi(TestCluster cluster) {
        serviceAccount(cluster, "bucketwright-cosi");
        RolePermissions.of(LeaseRole.COSI).manifest().stream()
                .filter(object -> List.of("ClusterRole", "Role").contains(object.getKind()))
                .forEach(role -> {
                    String name = role.getMetadata().getName() + "-" + namespace;
                    role.getMetadata().setName(name);
                    role.getMetadata().setNamespace(role.getKind().equals("Role") ? namespace : null);
                    made.add(cluster.admin().resource(role).create());
                    if (role.getKind().equals("ClusterRole")) {
                        made.add(cluster.admin()
                                .resource(new ClusterRoleBindingBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .endMetadata()
                                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                                        .addNewSubject(null, "ServiceAccount", "bucketwright-cosi", namespace)
                                        .build())
                                .create());
                    } else {
                        apply(cluster, """
                                apiVersion: rbac.authorization.k8s.io/v1
                                kind: RoleBinding
                                metadata: {name: leases}
                                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: %s}
                                subjects:
                                - {kind: ServiceAccount, name: bucketwright-cosi, namespace: %s}
                                """.formatted(name, namespace));
                    }
                });
    }

    private void serviceAccount(TestCluster cluster, String name) {
        made.add(cluster.admin()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create());
    }

    private void storageClass(TestCluster cluster, String name, String provisioner, String parameters) {
        apply(cluster, """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s-%s}
                provisioner: %s
                parameters: %s
                """.formatted(namespace, name, provisioner, parameters));
    }

    private void claim(TestCluster cluster, String name, String metadata) {
        apply(cluster, """
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata:
                  name: %s
                  %s
                spec: {generateBucketName: x, storageClassName: no-such-class}
                """.formatted(name, metadata));
    }

    private void apply(TestCluster cluster, String yaml) {
        made.add(cluster.admin().resource(yaml).inNamespace(namespace).create());
    }

    private static List<String> reasons(JsonNode report) {
        return StreamSupport.stream(report.path("findings").spliterator(), false)
                .map(finding -> finding.path("severity").asText() + " "
                        + finding.path("check").asText() + " "
                        + finding.path("reason").asText() + " "
                        + finding.at("/object/kind").asText() + "/"
                        + finding.at("/object/namespace").asText() + "/"
                        + finding.at("/object/name").asText())
                .toList();
    }

    private static String message(JsonNode report, String reason, String name) {
        return StreamSupport.stream(report.path("findings").spliterator(), false)
                .filter(finding -> finding.path("reason").asText().equals(reason)
                        && finding.at("/object/name").asText().equals(name))
                .map(finding -> finding.path("message").asText())
                .findFirst()
                .orElse("");
    }
}
