package io.bucketwright.app.doctor.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which namespaces the permissions of a service account are reviewed. */
class AccessReviewsTest {

    private static final String NAMESPACE = "bucketwright";
    private static final String ACCOUNT = "release";

    private final StubApiServer server = new StubApiServer();

    /** A RoleBinding in namespace team: whatever is namespaced is denied elsewhere. */
    @BeforeEach
    void onlyTeam() {
        server.answer("POST /apis/authorization.k8s.io/v1/subjectaccessreviews", 201, body ->
                """
                {"kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "status": {"allowed": %s}}""".formatted(body.contains("\"namespace\":\"team\"") || !isOfClaims(body)));
        server.answer("GET /api/v1/namespaces/bucketwright/pods", 200, """
                {"kind": "PodList", "apiVersion": "v1", "items": [
                  {"metadata": {"name": "release-0"}, "spec": {"serviceAccountName": "release", "containers": []}}]}""");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** With watchNamespace, the chart binds the permissions in that namespace only. */
    @Test
    void aReleaseThatServesOneNamespaceNeedsPermissionsThere() {
        for (String component : List.of("buckets", "pod-claims", "directories-nfs")) {
            account(component);
            assertThat(missing("", List.of(), List.of(deployment(component, "--namespace=team"))))
                    .as(component)
                    .isEmpty();
            assertThat(missing("", List.of(), List.of(daemonSet(component, "--namespace=team"))))
                    .as(component)
                    .isEmpty();
            assertThat(missing("", List.of(), List.of(deployment(component, "--namespace=other"))))
                    .as(component + " without a RoleBinding")
                    .isNotEmpty()
                    .allMatch(permission -> permission.namespace().equals("other"));
            assertThat(missing("", List.of(), List.of(deployment(component))))
                    .as(component + " for all namespaces")
                    .isNotEmpty();
        }
    }

    /** It may check the claims of another namespace than the one that the controller serves. */
    @Test
    void theNamespaceOfTheCommandCountsOnlyForReleasesThatServeAll() {
        account("buckets");
        assertThat(missing("other", List.of(), List.of(deployment("buckets", "--namespace=team"))))
                .isEmpty();
        assertThat(missing("team", List.of(), List.of(deployment("buckets")))).isEmpty();
        assertThat(missing("other", List.of(), List.of(deployment("buckets")))).isNotEmpty();
    }

    /** Installed without the chart. */
    @Test
    void aLeaderSaysWhichNamespaceItServes() {
        server.answer("GET /api/v1/serviceaccounts", 200, "{\"kind\": \"ServiceAccountList\", \"items\": []}");
        for (String name : List.of("buckets", "pod-claims", "directories-0123abcd")) {
            assertThat(missing("", List.of(lease(name, "team")), List.of()))
                    .as(name)
                    .isEmpty();
            assertThat(missing("", List.of(lease(name, "")), List.of()))
                    .as(name)
                    .isNotEmpty();
        }
    }

    /** After an upgrade, the workload has the flags of today, and the last leader may be one of before. */
    @Test
    void theWorkloadCountsMoreThanTheLastLeader() {
        account("buckets");
        assertThat(missing("", List.of(lease("buckets", "")), List.of(deployment("buckets", "--namespace=team"))))
                .isEmpty();
    }

    private List<Permission> missing(String namespace, List<RoleLease> leases, List<RoleWorkload> workloads) {
        DoctorScope scope = new DoctorScope(
                Set.of(CheckName.PERMISSIONS), namespace, NAMESPACE, Set.of(), "", Map.of(), Duration.ofMinutes(5));
        try (KubernetesClient client = server.client()) {
            List<AccountAccess> found = new AccessReviews(client, scope).of(leases, workloads);
            assertThat(found).hasSize(1).allMatch(access -> access.problem().isEmpty());
            return found.getFirst().missing();
        }
    }

    private static boolean isOfClaims(String body) {
        return body.contains("\"resource\":\"objectbucketclaims\"")
                || body.contains("\"resource\":\"persistentvolumeclaims\"");
    }

    private void account(String component) {
        server.answer("GET /api/v1/serviceaccounts", 200, """
                {"kind": "ServiceAccountList", "apiVersion": "v1", "items": [{"metadata": {
                  "namespace": "bucketwright", "name": "release", "labels": {
                  "app.kubernetes.io/name": "bucketwright", "app.kubernetes.io/component": "%s"}}}]}""".formatted(component));
    }

    private static RoleLease lease(String role, String watched) {
        return RoleLease.of(Serialization.unmarshal("""
                        apiVersion: coordination.k8s.io/v1
                        kind: Lease
                        metadata:
                          namespace: bucketwright
                          name: bucketwright-%s
                          annotations: {bucketwright.io/watch-namespace: '%s'}
                        spec: {holderIdentity: release-0-abc}
                        """.formatted(role, watched), Lease.class))
                .orElseThrow();
    }

    private static RoleWorkload deployment(String component, String... flags) {
        return RoleWorkload.of(Serialization.unmarshal(workload("Deployment", component, flags), Deployment.class));
    }

    private static RoleWorkload daemonSet(String component, String... flags) {
        return RoleWorkload.of(Serialization.unmarshal(workload("DaemonSet", component, flags), DaemonSet.class));
    }

    private static String workload(String kind, String component, String... flags) {
        return """
                apiVersion: apps/v1
                kind: %s
                metadata:
                  namespace: bucketwright
                  name: release
                  labels: {app.kubernetes.io/name: bucketwright, app.kubernetes.io/component: %s}
                spec:
                  template:
                    spec:
                      serviceAccountName: %s
                      containers:
                      - args: ["--workers=1", "%s"]
                """.formatted(kind, component, ACCOUNT, String.join("\", \"", flags));
    }
}
