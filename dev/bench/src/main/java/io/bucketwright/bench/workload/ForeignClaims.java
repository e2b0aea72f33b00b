package io.bucketwright.bench.workload;

import io.bucketwright.bench.cluster.BenchCluster;
import java.util.List;
import java.util.Map;

/**
 * Secrets and ConfigMaps of other applications, and claims of another provisioner with their ObjectBuckets, all in the
 * namespace that the controller serves.
 *
 * @param buckets whose controller is measured
 */
public record ForeignClaims(BenchCluster cluster, Workload buckets) implements ForeignLoad {

    private static final String BUCKET_API = "/apis/objectbucket.io/v1alpha1";
    private static final String CONTENT = "Zm9yZWlnbi0t".repeat(90);

    /** A tenth of the Secrets and ConfigMaps. */
    private static final int OBJECTS_PER_CLAIM = 10;

    @Override
    public String name() {
        return "foreign";
    }

    @Override
    public String title() {
        return "Foreign Secrets, ConfigMaps and ObjectBucketClaims";
    }

    @Override
    public void prepare() {
        buckets.prepare();
        cluster.createStorageClass(storageClass(), "other.example/bucket", Map.of());
    }

    @Override
    public List<RoleCommand> roles() {
        return buckets.roles();
    }

    /** @param count of Secrets and ConfigMaps together */
    @Override
    public List<ForeignBatch> batches(int count) {
        String namespace = cluster.namespace();
        String core = "/api/v1/namespaces/" + namespace;
        int claims = Math.max(1, count / OBJECTS_PER_CLAIM);
        String annotation = "{\"metadata\":{\"annotations\":{\"other.example/changed\":\"true\"}}}";
        return List.of(
                new ForeignBatch("Secrets", "foreign-secret", count / 2, core + "/secrets", name ->
                                """
                        {"apiVersion":"v1","kind":"Secret","type":"Opaque","metadata":%s,"data":{"token":"%s"}}""".formatted(metadata(name, namespace), CONTENT))
                        .changed(claims, annotation, ""),
                new ForeignBatch("ConfigMaps", "foreign-configmap", count - count / 2, core + "/configmaps", name ->
                        """
                        {"apiVersion":"v1","kind":"ConfigMap","metadata":%s,"data":{"application.yaml":"%s"}}""".formatted(metadata(name, namespace), CONTENT)),
                new ForeignBatch(
                                "claims",
                                "foreign-claim",
                                claims,
                                BUCKET_API + "/namespaces/" + namespace + "/objectbucketclaims",
                                this::claim)
                        .changed(claims, "{\"status\":{\"phase\":\"Bound\"}}", "/status"),
                new ForeignBatch(
                                "ObjectBuckets",
                                namespace + "-foreign-bucket",
                                claims,
                                BUCKET_API + "/objectbuckets",
                                this::bucket)
                        .changed(claims, "{\"status\":{\"phase\":\"Bound\"}}", "/status"));
    }

    private static String metadata(String name, String namespace) {
        return """
                {"name":"%s","namespace":"%s","labels":{"app.kubernetes.io/name":"other",\
                "app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"other"}}""".formatted(name, namespace);
    }

    /** As other provisioners write it: they also label the claim. */
    private String claim(String name) {
        return """
                {"apiVersion":"objectbucket.io/v1alpha1","kind":"ObjectBucketClaim","metadata":{"name":"%1$s",\
                "namespace":"%2$s","labels":{"app":"other","bucket-provisioner":"other.example-bucket"}},\
                "spec":{"storageClassName":"%3$s","generateBucketName":"photos","bucketName":"photos-%1$s",\
                "objectBucketName":"obc-%2$s-%1$s"}}""".formatted(name, cluster.namespace(), storageClass());
    }

    private String bucket(String name) {
        return """
                {"apiVersion":"objectbucket.io/v1alpha1","kind":"ObjectBucket","metadata":{"name":"%1$s",\
                "labels":{"app":"other","bucket-provisioner":"other.example-bucket"}},\
                "spec":{"storageClassName":"%3$s","reclaimPolicy":"Delete",\
                "claimRef":{"apiVersion":"objectbucket.io/v1alpha1","kind":"ObjectBucketClaim","namespace":"%2$s",\
                "name":"%1$s","uid":"%1$s"},\
                "endpoint":{"bucketHost":"s3.other.example","bucketPort":443,"bucketName":"photos-%1$s"},\
                "additionalState":{"account":"%1$s"}}}""".formatted(name, cluster.namespace(), storageClass());
    }

    private String storageClass() {
        return cluster.namespace() + "-foreign";
    }
}
