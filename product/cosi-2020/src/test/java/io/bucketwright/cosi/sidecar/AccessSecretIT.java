package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.OnCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which Secrets reach a driver, and that nothing secret is shown anywhere. */
@OnCluster
class AccessSecretIT extends SidecarTest {

    private static final String NAME = "cosi.io/provisioner-secret-name";
    private static final String NAMESPACE = "cosi.io/provisioner-secret-namespace";
    private static final Map<String, String> LABELS = Map.of(ProvisionerSecrets.LABEL, "true");

    @Test
    void theSecretOfAClassIsSentWithEveryCallAndCostsNoRead() {
        secret("first");
        bench.sidecar();
        Bucket bucket = bench.awaitCreated(bucketWithSecret());
        bench.revoke(bench.grantedAccess(bucket));
        bench.deleteBucket(bucket);
        assertThat(List.of(
                        driver.asked(CreateBucketRequest.class).getFirst().getSecretsMap(),
                        driver.asked(GrantBucketAccessRequest.class).getFirst().getSecretsMap(),
                        driver.asked(RevokeBucketAccessRequest.class).getFirst().getSecretsMap(),
                        driver.asked(DeleteBucketRequest.class).getFirst().getSecretsMap()))
                .containsOnly(Map.of("token", "first"));
        assertThat(cluster.requests(user).reads()).isZero();
    }

    @Test
    void aSecretWithoutItsLabelIsNeverSentAndLabellingItIsEnough() {
        Secret secret = bench.secret(cluster.namespace(), "admin", Map.of(), "first");
        bench.sidecar();
        Bucket bucket = bucketWithSecret();
        bench.awaitReason(bucket, "InvalidProvisionerSecret");
        assertThat(driver.requests).isEmpty();
        cluster.edit(secret, current -> current.getMetadata().setLabels(LABELS));
        bench.awaitCreated(bucket);
    }

    @Test
    void anotherNamespaceIsReadOnlyIfConfiguredAndTemplatesAreFilledFromTheRequest() {
        // Binding a Role with list and watch in that namespace is the administrator's part.
        ApiUser trusted = cluster.user("trusted");
        String tenant = cluster.createNamespace(cluster.namespace() + "-tenant");
        Bucket bucket = bench.bucket(
                "photos",
                spec -> Specs.with(
                        spec,
                        "bucketRequest",
                        new BucketRequestRef(tenant, "photos", "some-uid"),
                        "parameters",
                        Map.of(NAME, "${bucket.name}", NAMESPACE, "${bucket.namespace}")));
        bench.secret(tenant, tenant + ".photos", LABELS, "theirs");
        try (ControllerProcess _ = bench.sidecar()) {
            bench.awaitReason(bucket, "InvalidProvisionerSecret");
            assertThat(bench.require(bucket).status().message()).contains("does not watch");
            assertThat(driver.requests).isEmpty();
        }
        bench.sidecar(trusted, builder -> builder.secretNamespaces(Set.of(tenant)));
        bench.awaitCreated(bucket);
        assertThat(driver.asked(CreateBucketRequest.class).getFirst().getSecretsMap())
                .isEqualTo(Map.of("token", "theirs"));
    }

    @Test
    void aNamespaceThatComesLaterIsReadOnceItHasTheLabelAndThePermission() {
        ApiUser trusted = cluster.user("trusted-later");
        String tenant = cluster.namespace() + "-later";
        bench.sidecar(trusted, builder -> builder.secretNamespaceSelector(Map.of("own-credentials", "true")));
        Bucket bucket = bench.bucket(
                "photos",
                spec -> Specs.with(
                        spec,
                        "bucketRequest",
                        new BucketRequestRef(tenant, "photos", "some-uid"),
                        "parameters",
                        Map.of(NAME, "${bucket.name}", NAMESPACE, "${bucket.namespace}")));
        bench.awaitReason(bucket, "InvalidProvisionerSecret");
        cluster.createNamespace(tenant);
        bench.secret(tenant, tenant + ".photos", LABELS, "theirs");
        Bucket other = bench.bucket("other", spec -> spec);
        bench.awaitCreated(other);
        assertThat(bench.require(bucket).provisioned())
                .as("without the label of the namespace")
                .isFalse();
        cluster.edit(
                cluster.admin().namespaces().withName(tenant).get(),
                namespace -> namespace.getMetadata().setLabels(Map.of("own-credentials", "true")));
        bench.awaitCreated(bucket);
    }

    @Test
    void aRejectedCredentialIsRetriedAsSoonAsTheSecretChanges() {
        Secret secret = secret("expired");
        driver.on(CreateBucketRequest.class, request -> {
            if (((CreateBucketRequest) request).getSecretsMap().containsValue("expired")) {
                throw CosiError.CREATE_INVALID_ARGUMENT.exception("The token has expired.");
            }
            return Optional.empty();
        });
        bench.sidecar();
        Bucket bucket = bucketWithSecret();
        bench.awaitReason(bucket, "InvalidArgument");
        cluster.edit(secret, current -> current.setStringData(Map.of("token", "fresh")));
        bench.awaitCreated(bucket);
    }

    @Test
    void noLogEventStatusOrAnnotationContainsASecret() {
        try (CapturedLog log = new CapturedLog()) {
            secret("hunter2-of-the-administrator");
            driver.failing(
                    CreateBucketRequest.class,
                    CosiError.CREATE_INTERNAL_ERROR.exception("hunter2-of-the-administrator is wrong"));
            bench.sidecar();
            Bucket bucket = bucketWithSecret();
            bench.awaitReason(bucket, "InternalError");
            driver.behaving();
            bench.awaitCreated(bucket);
            BucketAccess access = bench.grantedAccess(bucket);
            String granted = bench.keyOf(access);
            SidecarFixture.await("events").until(() -> !bench.events(bucket).isEmpty());
            String shown = log.text()
                    + Serialization.asJson(bench.events(bucket))
                    + Serialization.asJson(bench.events(access))
                    + Serialization.asJson(bench.require(bucket))
                    + Serialization.asJson(bench.require(access));
            assertThat(shown).contains("***").doesNotContain("hunter2").doesNotContain(granted);
        }
    }

    private Secret secret(String token) {
        return bench.secret(cluster.namespace(), "admin", LABELS, token);
    }

    private Bucket bucketWithSecret() {
        return bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of(NAME, "admin")));
    }
}
