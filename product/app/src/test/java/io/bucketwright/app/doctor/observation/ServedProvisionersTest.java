package io.bucketwright.app.doctor.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.StubApiServer;
import io.bucketwright.app.doctor.observation.TrustedNamespaces.Trust;
import io.bucketwright.app.options.PublishedSettings;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which Leases and Deployments decide how classes are checked, and where requests with credentials are sent. */
class ServedProvisionersTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");
    private static final String OURS = "bucketwright.io/bucket";
    private static final String REVIEWS = "POST /apis/authorization.k8s.io/v1/subjectaccessreviews";

    private static final DoctorScope SCOPE = new DoctorScope(
            Set.of(CheckName.CLASSES), "", "bucketwright", Set.of(), "", Map.of(), Duration.ofMinutes(5));

    /** A tenant names its own server as the default endpoint of classes, and would get the administrator's requests. */
    @Test
    void whatATenantPublishesIsNotUsed() {
        RoleLease evil = lease("tenant", OURS, "{\"endpoint\": \"https://evil.example.com\"}");
        RoleWorkload other = workload("tenant", "--provisioner=evil.example.com/bucket");

        ServedProvisioners served = provisioners(List.of(evil), List.of(other), "bucketwright"::equals);

        assertThat(served.found()).isEmpty();
        assertThat(served.of(OURS)).containsExactly(new PublishedSettings(OURS, "s3", Map.of(), ""));
        assertThat(served.names()).containsExactly(OURS);
        assertThat(served.ignored()).containsExactly("tenant");
        assertThat(served.mayServe("rook.io/bucket"))
                .as("there may be a controller that is not known")
                .isTrue();
    }

    @Test
    void twoReleasesInTwoNamespacesAreBothUsed() {
        RoleLease first = lease("bucketwright", OURS, "{}");
        RoleWorkload second = workload("second", "--provisioner=azure.example.com/bucket", "--store=azure");

        ServedProvisioners served = provisioners(List.of(first), List.of(second), _ -> true);

        assertThat(served.names()).containsExactlyInAnyOrder(OURS, "azure.example.com/bucket");
        assertThat(served.of("azure.example.com/bucket"))
                .extracting(PublishedSettings::store)
                .containsExactly("azure");
        assertThat(served.mayServe("rook.io/bucket")).isFalse();
    }

    @Test
    void aLeaderThatDoesNotSayWhatItServesMayServeAnything() {
        RoleLease former = lease("bucketwright", "", "{}");
        assertThat(provisioners(List.of(former), List.of(), _ -> true).mayServe("rook.io/bucket"))
                .isTrue();
    }

    /** Each release serves a namespace of its own: one store for each. */
    @Test
    void aClassIsInvalidOnlyIfEveryControllerOfItsProvisionerRefusesIt() {
        RoleWorkload azure = workload("bucketwright", "--provisioner=" + OURS, "--store=azure", "--namespace=a");
        RoleWorkload s3 = workload("bucketwright", "--provisioner=" + OURS, "--store=s3", "--namespace=b");
        try (StubApiServer server = new StubApiServer();
                KubernetesClient client = server.client()) {
            StoreProbe probe = new StoreProbe(client, provisioners(List.of(), List.of(azure, s3), _ -> true));
            try (probe) {
                ParsedClass parsed = probe.parse(storageClass("endpoint: 'https://s3.example.com'"));
                assertThat(parsed.problem()).isEmpty();
                assertThat(parsed.store()).isEqualTo("s3");
                assertThat(probe.parse(storageClass("regoin: eu-1")).problem()).isNotEmpty();
            }
        }
    }

    @Test
    void aNamespaceIsTrustedIfAServiceAccountThereCanDoWhatNoTenantCan() {
        try (StubApiServer server = new StubApiServer();
                KubernetesClient client = server.client()) {
            Listing<RoleLease> leases = Listing.of("Lease", List.of(lease("tenant", OURS, "{}")));
            Listing<RoleWorkload> workloads =
                    Listing.of("Deployment", List.of(workload("tenant", "--provisioner=" + OURS)));
            server.answer(REVIEWS, 201, review(false));
            assertThat(trust(client, leases, workloads).of("tenant")).isEqualTo(Trust.UNTRUSTED);
            assertThat(trust(client, leases, workloads).of("bucketwright")).isEqualTo(Trust.TRUSTED);
            server.answer(REVIEWS, 201, review(true));
            assertThat(trust(client, leases, workloads).of("tenant")).isEqualTo(Trust.TRUSTED);
            server.answer(REVIEWS, 403, "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 403}");
            assertThat(trust(client, leases, workloads).of("tenant")).isEqualTo(Trust.UNKNOWN);
        }
    }

    /** A user may be allowed to list one kind only. */
    @Test
    void deploymentsAreKnownAlsoIfDaemonSetsMayNotBeListed() {
        Listing<RoleWorkload> deployments =
                Listing.of("Deployment", List.of(workload("bucketwright", "--provisioner=" + OURS)));
        Listing<RoleWorkload> both = deployments.and(Listing.unreadable("DaemonSet", "forbidden"));
        assertThat(both.items()).hasSize(1);
        assertThat(both.kind()).isEqualTo("DaemonSet");
        assertThat(both.isComplete()).isFalse();
    }

    private static TrustedNamespaces trust(
            KubernetesClient client, Listing<RoleLease> leases, Listing<RoleWorkload> workloads) {
        return new TrustedNamespaces(new AccessReviews(client, SCOPE), SCOPE, leases, workloads);
    }

    private static ServedProvisioners provisioners(
            List<RoleLease> leases, List<RoleWorkload> workloads, Predicate<String> trusted) {
        return ServedProvisioners.of(
                Listing.of("Lease", leases), Listing.of("Deployment", workloads), trusted, NOW, SCOPE);
    }

    private static String review(boolean allowed) {
        return """
                {"kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "status": {"allowed": %s}}""".formatted(allowed);
    }

    private static RoleLease lease(String namespace, String serves, String defaults) {
        return RoleLease.of(Serialization.unmarshal("""
                        apiVersion: coordination.k8s.io/v1
                        kind: Lease
                        metadata:
                          namespace: %s
                          name: bucketwright-buckets
                          annotations:
                            bucketwright.io/serves: '%s'
                            bucketwright.io/store: s3
                            bucketwright.io/class-defaults: '%s'
                        spec: {holderIdentity: pod, leaseDurationSeconds: 15, renewTime: "2026-11-17T12:00:00.000000Z"}
                        """.formatted(namespace, serves, defaults), Lease.class))
                .orElseThrow();
    }

    private static RoleWorkload workload(String namespace, String... flags) {
        return RoleWorkload.of(
                Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: %s, name: release}
                spec:
                  template:
                    spec:
                      serviceAccountName: release
                      containers:
                      - args: ["--only=buckets", "%s"]
                """.formatted(namespace, String.join("\", \"", flags)), Deployment.class));
    }

    private static StorageClass storageClass(String parameters) {
        return Serialization.unmarshal("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: buckets, uid: 1-2-3}
                provisioner: %s
                parameters: {%s}
                """.formatted(OURS, parameters), StorageClass.class);
    }
}
