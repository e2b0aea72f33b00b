package io.bucketwright.api.objectstorage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.Crds;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our definitions of the released kinds on an API server: they admit what released clients and administrators write. */
@OnCluster
class ReleasedKindsIT {

    private TestCluster cluster;

    @BeforeEach
    void install(TestCluster testCluster) {
        cluster = testCluster;
        cluster.install(Crds.released());
    }

    @Test
    void theApiServerAcceptsTheDefinitionsOfAGroupOfKubernetes() {
        assertThat(Crds.released())
                .hasSize(5)
                .allSatisfy(crd -> assertThat(cluster.admin()
                                .resource(crd)
                                .require()
                                .getStatus()
                                .getConditions())
                        .anyMatch(condition -> condition.getType().equals("KubernetesAPIApprovalPolicyConformant")
                                && condition.getStatus().equals("True")));
    }

    @Test
    void objectsAsTheReferenceWritesThemAreAdmitted() {
        ReleasedBucketClass bucketClass = create(ReleasedBucketClass.class, """
                kind: BucketClass
                driverName: SAMPLE.objectstorage.k8s.io
                """);
        assertThat(bucketClass.getDeletionPolicy()).isEqualTo("Retain");
        assertThat(create(ReleasedBucketClass.class, """
                        kind: BucketClass
                        driverName: ""
                        deletionPolicy: retain
                        parameters: {region: ""}
                        """).getDeletionPolicy()).isEqualTo("retain");
        assertThat(create(ReleasedBucketAccessClass.class, """
                        kind: BucketAccessClass
                        driverName: cloudian-cosi-driver
                        authenticationType: KEY
                        """).getAuthenticationType())
                .isEqualTo("KEY");
        ReleasedBucket existing = create(ReleasedBucket.class, """
                kind: Bucket
                spec:
                  driverName: x
                  bucketClassName: y
                  bucketClaim: {}
                  protocols: []
                  existingBucketID: "q3:qumulo:host:443:b:/p:1%+=@managed"
                """);
        assertThat(existing.spec().deletionPolicy()).isEqualTo("Retain");
        assertThat(create(BucketClaim.class, "kind: BucketClaim").spec().protocols())
                .as("the schema does not require a spec")
                .isEmpty();
        assertThat(create(BucketClaim.class, """
                        kind: BucketClaim
                        spec: {protocols: [s3, GCS, anything], existingBucketName: "Not A Name"}
                        """).spec().existingBucketName()).isEqualTo("Not A Name");
    }

    @Test
    void whatOurTypesWriteIsAdmittedAndReadBack() {
        ReleasedBucket bucket = new ReleasedBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("bucket-" + cluster.namespace())
                .build());
        bucket.setSpec(new ReleasedBucketSpec(
                "driver.test",
                "gold",
                new ObjectReferenceBuilder()
                        .withNamespace("team")
                        .withName("photos")
                        .withUid("1")
                        .build(),
                List.of(),
                Map.of("tier", "gold"),
                "Delete",
                ""));
        assertThat(cluster.admin().resource(bucket).create().spec()).isEqualTo(bucket.spec());

        BucketClaim claim = new BucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withName("photos")
                .build());
        claim.setSpec(new BucketClaimSpec("gold", List.of(), ""));
        BucketClaim created = cluster.admin().resource(claim).create();
        assertThat(created.spec()).isEqualTo(claim.spec());
        created.setStatus(new BucketClaimStatus(false, "bucket-1"));
        assertThat(cluster.admin().resource(created).updateStatus().status())
                .isEqualTo(new BucketClaimStatus(false, "bucket-1"));
    }

    @Test
    void aStatusOfAClaimNeedsBucketReady() {
        BucketClaim claim = create(BucketClaim.class, "kind: BucketClaim");
        assertThatThrownBy(() -> cluster.admin()
                        .genericKubernetesResources("objectstorage.k8s.io/v1alpha1", "BucketClaim")
                        .inNamespace(cluster.namespace())
                        .withName(claim.getMetadata().getName())
                        .editStatus(object -> {
                            object.setAdditionalProperty("status", Map.of("bucketName", "b"));
                            return object;
                        }))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("bucketReady");
    }

    private <T> T create(Class<T> type, String yaml) {
        GenericKubernetesResource object = Serialization.unmarshal(
                "apiVersion: objectstorage.k8s.io/v1alpha1\n" + yaml, GenericKubernetesResource.class);
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.namespace())
                .withGenerateName(cluster.namespace() + "-")
                .build());
        return Serialization.unmarshal(
                Serialization.asJson(cluster.admin().resource(object).create()), type);
    }
}
