package io.bucketwright.devtools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The cleanup of an interrupted demo deletes all its objects from the user's cluster, even if no controller runs. */
@OnCluster
class DemoCleanupIT {

    @Test
    void objectsOfTheDemoAreDeletedPastTheirFinalizersAndOthersAreLeftAlone(TestCluster cluster) {
        cluster.install(Crds.objectBuckets());
        cluster.install(Crds.cosi());
        cluster.install(Crds.released());
        String name = "bucketwright-demo-"
                + cluster.namespace().substring(cluster.namespace().length() - 4);
        List<HasMetadata> created = new ArrayList<>();
        created.add(cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create());
        List<HasMetadata> theirs = new ArrayList<>();
        objects(name)
                .forEach(object -> theirs.add(cluster.admin().resource(object).create()));
        List<HasMetadata> others = new ArrayList<>();
        others.add(
                cluster.admin().resource(claim("photos", cluster.namespace())).create());
        others.add(cluster.admin()
                // Mentions the demo, and is of another class.
                .resource(objectBucket(cluster.namespace(), "other", name))
                .create());
        try {
            DemoCleanup cleanup = new DemoCleanup(cluster.admin(), name);
            assertThat(cleanup.left())
                    .extracting(HasMetadata::getKind)
                    .containsExactlyInAnyOrder(
                            "ObjectBucketClaim",
                            "BucketRequest",
                            "BucketClaim",
                            "Secret",
                            "ObjectBucket",
                            "Bucket",
                            "PersistentVolume");
            assertThat(cleanup.run(created)).isEmpty();
            assertThat(theirs)
                    .allSatisfy(object -> assertThat(
                                    cluster.admin().resource(object).get())
                            .as(object.getKind())
                            .isNull());
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> cluster.admin().namespaces().withName(name).get() == null);
            assertThat(cluster.object(ObjectBucketClaim.class, "photos")
                            .require()
                            .getMetadata()
                            .getFinalizers())
                    .isNotEmpty();
            assertThat(cluster.admin()
                            .resources(ObjectBucket.class)
                            .withName(cluster.namespace())
                            .require()
                            .getMetadata()
                            .getDeletionTimestamp())
                    .isNull();
        } finally {
            theirs.forEach(cluster::forceDelete);
            others.forEach(cluster::forceDelete);
        }
    }

    private static List<HasMetadata> objects(String name) {
        return List.of(
                claim("photos", name),
                objectBucket(name, name, name),
                object("""
                        apiVersion: cosi.io/v1alpha1
                        kind: BucketRequest
                        metadata: {name: photos, namespace: %1$s, finalizers: [example.com/demo]}
                        spec: {protocol: s3, bucketClassName: %1$s}
                        """.formatted(name)),
                object("""
                        apiVersion: objectstorage.k8s.io/v1alpha1
                        kind: BucketClaim
                        metadata: {name: photos, namespace: %1$s, finalizers: [example.com/demo]}
                        spec: {protocols: [S3], bucketClassName: %1$s}
                        """.formatted(name)),
                object("""
                        apiVersion: objectstorage.k8s.io/v1alpha1
                        kind: Bucket
                        metadata: {name: bucket-of-%1$s, finalizers: [example.com/demo]}
                        spec: {protocols: [S3], driverName: none, bucketClassName: %1$s, bucketClaim: {}, deletionPolicy: Delete}
                        """.formatted(name)),
                object("""
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: photos, namespace: %s, finalizers: [example.com/demo]}
                        """.formatted(name)),
                object("""
                        apiVersion: v1
                        kind: PersistentVolume
                        metadata: {name: pv-of-%1$s}
                        spec:
                          storageClassName: %1$s-directory
                          accessModes: [ReadWriteOnce]
                          capacity: {storage: 1Mi}
                          hostPath: {path: /nonexistent}
                        """.formatted(name)));
    }

    private static HasMetadata claim(String name, String namespace) {
        return object("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucketClaim
                metadata: {name: %s, namespace: %s, finalizers: [objectbucket.io/finalizer]}
                spec: {storageClassName: none, generateBucketName: photos}
                """.formatted(name, namespace));
    }

    private static HasMetadata objectBucket(String name, String storageClass, String namespace) {
        return object("""
                apiVersion: objectbucket.io/v1alpha1
                kind: ObjectBucket
                metadata: {name: %s, finalizers: [objectbucket.io/finalizer]}
                spec: {storageClassName: %s, claimRef: {namespace: %s, name: photos}}
                """.formatted(name, storageClass, namespace));
    }

    private static HasMetadata object(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }
}
