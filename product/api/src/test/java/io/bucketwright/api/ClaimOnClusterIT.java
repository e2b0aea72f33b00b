package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnCluster
class ClaimOnClusterIT {
    @BeforeEach
    void install(TestCluster cluster) {
        cluster.install(Crds.objectBuckets());
    }

    @Test
    void theDefinitionsAreEstablishedWithStructuralSchemas(TestCluster cluster) {
        assertThat(Crds.objectBuckets()).allSatisfy(definition -> {
            var installed = cluster.admin().resource(definition).get();
            assertThat(installed.getStatus().getConditions())
                    .as("a schema that is not structural would be named here")
                    .noneMatch(condition -> "NonStructuralSchema".equals(condition.getType()))
                    .anyMatch(condition ->
                            "Established".equals(condition.getType()) && "True".equals(condition.getStatus()));
        });
    }

    @Test
    void aNewClaimIsPending(TestCluster cluster) {
        assertThat(writtenPhase(claim(cluster, "generateBucketName: photos").create()))
                .isEqualTo("Pending");

        var claims = cluster.admin().resources(ObjectBucketClaim.class).inNamespace(cluster.namespace());
        assertThat(writtenPhase(claims.withName("claim").get())).isEqualTo("Pending");
        assertThat(claims.list().getItems())
                .extracting(ClaimOnClusterIT::writtenPhase)
                .containsExactly("Pending");
    }

    @Test
    void aWatchReportsANewClaimAsPending(TestCluster cluster) throws InterruptedException {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        var claims = cluster.admin().resources(ObjectBucketClaim.class).inNamespace(cluster.namespace());
        try (var _ = claims.watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, ObjectBucketClaim claim) {
                seen.add(action + " " + writtenPhase(claim));
            }

            @Override
            public void onClose(WatcherException cause) {
                seen.add(cause.toString());
            }
        })) {
            claim(cluster, "generateBucketName: photos").create();
            assertThat(seen.poll(1, TimeUnit.MINUTES)).isEqualTo("ADDED Pending");
        }
    }

    @Test
    void aUserCannotWriteTheStatus(TestCluster cluster) {
        Resource<ObjectBucketClaim> resource = claim(cluster, "generateBucketName: photos");
        resource.item().setStatus(BucketStatus.of(Phase.BOUND, List.of(), 1));
        assertThat(resource.create().phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aControllerCanSetEmptyFields(TestCluster cluster) {
        claim(cluster, "bucketName: ''\ngenerateBucketName: photos").create();
        ObjectBucketClaim changed = edit(
                cluster,
                spec -> spec.toBuilder()
                        .storageClassName("default-class")
                        .bucketName("photos-k3v9q")
                        .objectBucketName("obc-photos")
                        .build());
        assertThat(changed.getSpec().bucket()).contains("photos-k3v9q");
        assertThat(changed.getSpec().storageClass()).contains("default-class");
    }

    @ParameterizedTest
    @ValueSource(strings = {"storageClassName", "bucketName", "generateBucketName"})
    void fieldsAreImmutableOnceSet(String field, TestCluster cluster) {
        claim(cluster, "storageClassName: first\nbucketName: first\ngenerateBucketName: first")
                .create();
        for (String value : List.of("\"second\"", "\"\"", "null")) {
            assertThatThrownBy(() -> patch(cluster, "{\"spec\": {\"" + field + "\": " + value + "}}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining(field + " cannot be changed once it is set; create a new claim instead");
        }
        patch(cluster, "{\"spec\": {\"additionalConfig\": {\"maxSize\": \"1G\"}}}");
    }

    @Test
    void bothSpellingsOfSslMustBeEqual(TestCluster cluster) {
        assertThatThrownBy(() -> claim(cluster, "SSL: true\nssl: false").create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("SSL and ssl are two spellings of one setting and must not differ");
        assertThat(claim(cluster, "SSL: true\nssl: true").create().getSpec().tls())
                .contains(true);
    }

    @Test
    void anUnknownCannedAclIsRejected(TestCluster cluster) {
        assertThatThrownBy(() -> claim(cluster, "cannedBucketACL: everybody").create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.cannedBucketACL");
    }

    @Test
    void aMisspelledFieldIsRejectedByStrictValidation(TestCluster cluster) {
        assertThatThrownBy(() -> claim(cluster, "bucketname: photos")
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("unknown field \"spec.bucketname\"");
    }

    @Test
    void nullIsAcceptedAsAbsent(TestCluster cluster) {
        ObjectBucketClaim created = cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .load(stream("""
                        {"apiVersion": "objectbucket.io/v1alpha1", "kind": "ObjectBucketClaim",
                         "metadata": {"name": "claim"},
                         "spec": {"bucketName": null, "generateBucketName": "photos", "additionalConfig": null}}"""))
                .create();
        assertThat(created.getSpec().bucket()).isEmpty();
        assertThat(created.getSpec().options()).isEmpty();
    }

    /** The phase that the API server stored. {@code phase()} would default to Pending. */
    private static @Nullable String writtenPhase(ObjectBucketClaim claim) {
        BucketStatus status = claim.getStatus();
        return status == null ? null : status.phase();
    }

    private static InputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Resource<ObjectBucketClaim> claim(TestCluster cluster, String spec) {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withName("claim")
                .withNamespace(cluster.namespace())
                .build());
        claim.setSpec(Serialization.unmarshal(spec, ObjectBucketClaimSpec.class));
        return cluster.admin().resource(claim);
    }

    private static ObjectBucketClaim edit(TestCluster cluster, UnaryOperator<ObjectBucketClaimSpec> change) {
        return cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName("claim")
                .edit(claim -> {
                    claim.setSpec(change.apply(claim.getSpec()));
                    return claim;
                });
    }

    private static void patch(TestCluster cluster, String mergePatch) {
        cluster.admin()
                .resources(ObjectBucketClaim.class)
                .inNamespace(cluster.namespace())
                .withName("claim")
                .patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }
}
