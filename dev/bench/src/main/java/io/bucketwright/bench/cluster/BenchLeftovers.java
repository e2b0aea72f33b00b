package io.bucketwright.bench.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Supplier;

/** Objects that an interrupted bench leaves. Their controllers no longer run, so finalizers are removed by force. */
record BenchLeftovers(KubernetesClient client, String namespace) {

    private static final int NOT_FOUND = 404;

    private static final List<ResourceDefinitionContext> NAMESPACED = List.of(
            kind("objectbucket.io", "v1alpha1", "ObjectBucketClaim", true),
            kind("cosi.io", "v1alpha1", "BucketAccessRequest", true),
            kind("cosi.io", "v1alpha1", "BucketRequest", true),
            kind("", "v1", "Pod", true),
            kind("", "v1", "PersistentVolumeClaim", true),
            kind("", "v1", "Secret", true),
            kind("", "v1", "ConfigMap", true));

    private static final List<ResourceDefinitionContext> CLUSTER_SCOPED = List.of(
            kind("objectbucket.io", "v1alpha1", "ObjectBucket", false),
            kind("cosi.io", "v1alpha1", "BucketAccess", false),
            kind("cosi.io", "v1alpha1", "Bucket", false),
            kind("", "v1", "PersistentVolume", false));

    void remove() {
        for (ResourceDefinitionContext kind : NAMESPACED) {
            remove(
                    () -> client.genericKubernetesResources(kind)
                            .inNamespace(namespace)
                            .list(),
                    kind);
        }
        for (ResourceDefinitionContext kind : CLUSTER_SCOPED) {
            remove(() -> client.genericKubernetesResources(kind).list(), kind);
        }
    }

    private void remove(Supplier<GenericKubernetesResourceList> found, ResourceDefinitionContext kind) {
        for (GenericKubernetesResource object : list(found)) {
            // A cluster-scoped object names the namespace of its claim.
            if (kind.isNamespaceScoped()
                    || Serialization.asJson(object.getAdditionalProperties()).contains("\"" + namespace)) {
                remove(object);
            }
        }
    }

    private static List<GenericKubernetesResource> list(Supplier<GenericKubernetesResourceList> found) {
        try {
            return found.get().getItems();
        } catch (KubernetesClientException e) {
            // The CRD of this kind is not installed.
            if (e.getCode() != NOT_FOUND) {
                throw e;
            }
            return List.of();
        }
    }

    private void remove(GenericKubernetesResource object) {
        try {
            if (!object.getMetadata().getFinalizers().isEmpty()) {
                client.resource(object)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            }
            client.resource(object).withGracePeriod(0).delete();
        } catch (KubernetesClientException e) {
            // Deleted meanwhile: by the garbage collector, or because its finalizers were the last obstacle.
            if (e.getCode() != NOT_FOUND) {
                throw e;
            }
        }
    }

    private static ResourceDefinitionContext kind(String group, String version, String kind, boolean namespaced) {
        ResourceDefinitionContext.Builder builder = new ResourceDefinitionContext.Builder()
                .withVersion(version)
                .withKind(kind)
                .withNamespaced(namespaced);
        return (group.isEmpty() ? builder : builder.withGroup(group)).build();
    }
}
