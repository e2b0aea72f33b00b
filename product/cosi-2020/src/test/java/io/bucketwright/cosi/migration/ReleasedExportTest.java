package io.bucketwright.cosi.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is printed for objects of {@code cosi.io}. */
class ReleasedExportTest {

    private static final String BUCKET_CLASS = """
            metadata: {name: photos, uid: "1", resourceVersion: "7"}
            provisioner: store/s3.test
            protocol: s3
            releasePolicy: Delete
            parameters: {region: eu, cosi.io/provisioner-secret-name: administrator}
            """;
    private static final String ACCESS_CLASS = """
            metadata: {name: write}
            provisioner: store/s3.test
            protocol: s3
            parameters: {accessMode: rw}
            """;
    private static final String BUCKET = """
            metadata: {name: b-1}
            spec:
              provisioner: store/s3.test
              releasePolicy: Delete
              bucketClassName: photos
              parameters: {region: eu}
              protocol: {protocolSignature: s3, s3: {endpoint: "https://s3.test", bucketName: photos-1}}
            """;
    private static final String REQUEST = """
            metadata: {namespace: shop, name: photos}
            spec: {protocol: s3, bucketClassName: photos, bucketInstanceName: b-1}
            """;
    private static final String ACCESS = """
            metadata: {namespace: shop, name: viewer}
            spec: {bucketRequestName: photos, bucketAccessClassName: write, accessSecretName: keys}
            """;

    @Test
    void anExistingBucketIsBoundToTheClaimOfTheSameNameAndItsAccessGetsAnotherSecret() {
        assertThat(export(
                        List.of(read(BucketClass.class, BUCKET_CLASS)),
                        List.of(read(BucketAccessClass.class, ACCESS_CLASS)),
                        List.of(read(BucketRequest.class, REQUEST)),
                        List.of(read(BucketAccessRequest.class, ACCESS))))
                .isEqualTo("""
                        # Objects of cosi.io as objects of objectstorage.k8s.io. The originals stay as they are.
                        # See docs/coming-from-upstream-cosi.md for the order of the steps.
                        ---
                        # The parameter cosi.io/provisioner-secret-name has no equivalent: give the driver its credentials with --credentials.
                        apiVersion: "objectstorage.k8s.io/v1alpha1"
                        kind: "BucketClass"
                        metadata:
                          name: "photos"
                        driverName: "s3.test"
                        deletionPolicy: "Delete"
                        parameters:
                          region: "eu"
                        ---
                        apiVersion: "objectstorage.k8s.io/v1alpha1"
                        kind: "BucketAccessClass"
                        metadata:
                          name: "write"
                        driverName: "s3.test"
                        authenticationType: "Key"
                        parameters:
                          accessMode: "rw"
                        ---
                        # Retain, not Delete: the driver deletes a bucket only through the API group that created it.
                        apiVersion: "objectstorage.k8s.io/v1alpha1"
                        kind: "Bucket"
                        metadata:
                          name: "photos-1"
                        spec:
                          driverName: "s3.test"
                          bucketClassName: "photos"
                          bucketClaim:
                            name: "photos"
                            namespace: "shop"
                          protocols:
                          - "S3"
                          parameters:
                            region: "eu"
                          deletionPolicy: "Retain"
                          existingBucketID: "photos-1"
                        ---
                        apiVersion: "objectstorage.k8s.io/v1alpha1"
                        kind: "BucketClaim"
                        metadata:
                          name: "photos"
                          namespace: "shop"
                        spec:
                          protocols:
                          - "S3"
                          existingBucketName: "photos-1"
                        ---
                        apiVersion: "objectstorage.k8s.io/v1alpha1"
                        kind: "BucketAccess"
                        metadata:
                          name: "viewer"
                          namespace: "shop"
                        spec:
                          bucketClaimName: "photos"
                          protocol: "S3"
                          bucketAccessClassName: "write"
                          credentialsSecretName: "viewer-bucketinfo"
                        """);
    }

    /** Without policyActions, an access would permit more than before. */
    @Test
    void anAccessClassWithPolicyActionsIsNotExportedNorAreItsAccesses() {
        BucketAccessClass limited =
                read(BucketAccessClass.class, ACCESS_CLASS + "policyActions: {allow: [\"s3:GetObject\"]}\n");
        assertThat(export(
                        List.of(),
                        List.of(limited),
                        List.of(read(BucketRequest.class, REQUEST)),
                        List.of(read(BucketAccessRequest.class, ACCESS))))
                .contains("# BucketAccessClass write is not exported: policyActions has no counterpart")
                .contains("# BucketAccessRequest shop/viewer is not exported: its BucketAccessClass is not exported.")
                .doesNotContain("kind: \"BucketAccess");
    }

    @Test
    void aSharedBucketBelongsToOneClaim() {
        BucketRequest second = read(BucketRequest.class, REQUEST.replace("shop", "stock"));
        BucketAccessRequest access = read(BucketAccessRequest.class, ACCESS.replace("shop", "stock"));
        assertThat(export(
                        List.of(),
                        List.of(read(BucketAccessClass.class, ACCESS_CLASS)),
                        List.of(second, read(BucketRequest.class, REQUEST)),
                        List.of(access)))
                .contains(
                        "# BucketRequest stock/photos is not exported: its bucket is that of BucketRequest shop/photos")
                .contains("# BucketAccessRequest stock/viewer is not exported: its BucketRequest is not exported.")
                .containsOnlyOnce("kind: \"BucketClaim\"");
    }

    @Test
    void whatHasNoEquivalentIsNamed() {
        BucketClass open = read(BucketClass.class, BUCKET_CLASS + """
                isDefaultBucketClass: true
                anonymousAccessMode: ro
                additionalPermittedNamespaces: [{name: stock, uid: "2"}]
                """);
        BucketAccessRequest workload =
                read(BucketAccessRequest.class, ACCESS.replace("accessSecretName", "serviceAccountName"));
        BucketRequest creating = read(BucketRequest.class, REQUEST.replace("b-1", "b-2"));
        assertThat(export(List.of(open), List.of(), List.of(creating), List.of(workload)))
                .contains("# There are no default classes")
                .contains("# anonymousAccessMode ro has no counterpart")
                .contains("# additionalPermittedNamespaces has no counterpart")
                .contains("# BucketRequest shop/photos is not exported: its bucket does not exist yet.")
                .contains("# BucketAccessRequest shop/viewer is not exported: it is for a ServiceAccount.");
    }

    /** A driver that issues ids finds the bucket only by its id. */
    @Test
    void theIdOfADriverIsKept() {
        Bucket bucket = read(Bucket.class, BUCKET);
        bucket.getMetadata().setAnnotations(Map.of("cosi.io/bucket-id", "eu:1/photos-1@tenant"));
        String yaml = ReleasedExport.yaml(new CosiObjects(
                List.of(), List.of(), List.of(bucket), List.of(read(BucketRequest.class, REQUEST)), List.of()));
        ReleasedBucket exported = Arrays.stream(yaml.split("---\n", -1))
                .filter(document -> document.contains("kind: \"Bucket\"\n"))
                .map(document -> Serialization.unmarshal(document, ReleasedBucket.class))
                .findFirst()
                .orElseThrow();
        assertThat(exported.spec().existingBucketID()).isEqualTo("eu:1/photos-1@tenant");
    }

    private static String export(
            List<BucketClass> bucketClasses,
            List<BucketAccessClass> accessClasses,
            List<BucketRequest> requests,
            List<BucketAccessRequest> accesses) {
        return ReleasedExport.yaml(
                new CosiObjects(bucketClasses, accessClasses, List.of(read(Bucket.class, BUCKET)), requests, accesses));
    }

    private static <T> T read(Class<T> type, String yaml) {
        return Serialization.unmarshal(yaml, type);
    }
}
