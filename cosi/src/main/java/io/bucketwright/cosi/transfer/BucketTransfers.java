package io.bucketwright.cosi.transfer;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The Buckets of another cluster that were restored in this one. Only an administrator knows that the former cluster no
 * longer uses the buckets, so nothing is transferred without a request. The request is an annotation of the Bucket, which no
 * tenant can write; the store proves that the bucket belongs to that cluster and to that Bucket.
 *
 * @param client with the permissions of an administrator
 * @param fromCluster the id of the former cluster
 */
public record BucketTransfers(KubernetesClient client, String fromCluster) {

    /**
     * Checks the id of the cluster.
     *
     * @throws Invalid if it is not valid
     */
    public BucketTransfers {
        BucketOwner _ = new BucketOwner(fromCluster, "any");
    }

    /**
     * The Buckets of the provisioner that were created for a BucketRequest of another cluster, by name, without those that
     * are transferred already.
     *
     * @param provisioner as classes name it: {@code <namespace>/<name>}
     */
    public List<Bucket> restored(String provisioner) {
        Set<String> requests = client.resources(BucketRequest.class).inAnyNamespace().list().getItems().stream()
                .map(request -> request.getMetadata().getUid())
                .collect(Collectors.toSet());
        return client.resources(Bucket.class).list().getItems().stream()
                .filter(bucket -> bucket.getSpec().provisioner().equals(provisioner))
                .filter(bucket -> bucket.getSpec()
                        .creator()
                        .filter(creator -> !requests.contains(creator.uid()))
                        .isPresent())
                .filter(bucket ->
                        !Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM).equals(fromCluster))
                .toList();
    }

    /**
     * Requests the transfer of the bucket, and permits the namespaces of the same names in this cluster to use it. A
     * namespace that does not exist yet stays as it is.
     */
    public void request(Bucket bucket) {
        List<PermittedNamespace> former = bucket.getSpec().permittedNamespaces();
        List<PermittedNamespace> current =
                former.stream().map(this::inThisCluster).toList();
        if (!current.equals(former)) {
            patch(
                    bucket,
                    PatchType.JSON,
                    List.of(
                            Map.of("op", "test", "path", "/spec/permittedNamespaces", "value", former),
                            Map.of("op", "replace", "path", "/spec/permittedNamespaces", "value", current)));
        }
        patch(
                bucket,
                PatchType.JSON_MERGE,
                Map.of(
                        "metadata",
                        Map.of(
                                "uid",
                                bucket.getMetadata().getUid(),
                                "annotations",
                                Map.of(CosiNames.TRANSFER_FROM, fromCluster))));
    }

    private PermittedNamespace inThisCluster(PermittedNamespace permitted) {
        HasMetadata found = client.namespaces().withName(permitted.name()).get();
        return found == null
                ? permitted
                : new PermittedNamespace(permitted.name(), found.getMetadata().getUid());
    }

    private void patch(Bucket bucket, PatchType type, Object content) {
        Bucket _ = client.resources(Bucket.class)
                .withName(bucket.getMetadata().getName())
                .patch(PatchContext.of(type), Serialization.asJson(content));
    }
}
