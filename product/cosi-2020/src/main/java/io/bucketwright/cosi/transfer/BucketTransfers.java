package io.bucketwright.cosi.transfer;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PermittedNamespace;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The id of the cluster of the client; empty if it cannot be determined. */
    public String thisCluster() {
        return namespaceUid("kube-system").orElse("");
    }

    /**
     * The Buckets of the provisioner that may come from another cluster, by name: those whose BucketRequest does not exist,
     * without those that are transferred already. A Bucket that this cluster released is one of them; the sidecar rejects
     * its transfer.
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
                .filter(bucket -> !isTransferred(bucket))
                .toList();
    }

    /**
     * Requests the transfer of the bucket. The request contains the uids of the namespaces that have the names of the
     * permitted ones; the sidecar permits them when the bucket is transferred. A namespace that does not exist yet stays as
     * it is. Fails if the Bucket was changed since it was listed.
     */
    public void request(Bucket bucket) {
        Map<String, String> annotations = Map.of(
                CosiNames.TRANSFER_FROM,
                fromCluster,
                NamespaceUids.ANNOTATION,
                namespaceUids(bucket).text());
        Map<String, Object> metadata = Map.of(
                "uid",
                bucket.getMetadata().getUid(),
                "resourceVersion",
                bucket.getMetadata().getResourceVersion(),
                "annotations",
                annotations);
        Bucket _ = client.resource(bucket)
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(Map.of("metadata", metadata)));
    }

    /** With a request beside it, the record only confirms that the bucket belongs to another cluster. */
    private boolean isTransferred(Bucket bucket) {
        return Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM).equals(fromCluster)
                && Metadata.annotation(bucket, CosiNames.TRANSFER_FROM).isEmpty();
    }

    private NamespaceUids namespaceUids(Bucket bucket) {
        Map<String, String> uids = new HashMap<>();
        for (PermittedNamespace permitted : bucket.getSpec().permittedNamespaces()) {
            namespaceUid(permitted.name())
                    .filter(uid -> !uid.equals(permitted.uid()))
                    .ifPresent(uid -> uids.put(permitted.uid(), uid));
        }
        return new NamespaceUids(uids);
    }

    private Optional<String> namespaceUid(String name) {
        return Optional.ofNullable(client.namespaces().withName(name).get())
                .map(namespace -> namespace.getMetadata().getUid());
    }
}
