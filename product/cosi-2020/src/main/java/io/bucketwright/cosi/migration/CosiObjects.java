package io.bucketwright.cosi.migration;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccessClass;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;

/** The objects of {@code cosi.io} that are to be exported, by namespace and name. Those that are being deleted are left out. */
public record CosiObjects(
        List<BucketClass> bucketClasses,
        List<BucketAccessClass> accessClasses,
        List<Bucket> buckets,
        List<BucketRequest> requests,
        List<BucketAccessRequest> accessRequests) {

    public CosiObjects {
        bucketClasses = kept(bucketClasses);
        accessClasses = kept(accessClasses);
        buckets = kept(buckets);
        requests = kept(requests);
        accessRequests = kept(accessRequests);
    }

    /**
     * Reads all objects of a cluster.
     *
     * @param client of an administrator
     */
    public static CosiObjects read(KubernetesClient client) {
        return new CosiObjects(
                client.resources(BucketClass.class).list().getItems(),
                client.resources(BucketAccessClass.class).list().getItems(),
                client.resources(Bucket.class).list().getItems(),
                client.resources(BucketRequest.class).inAnyNamespace().list().getItems(),
                client.resources(BucketAccessRequest.class)
                        .inAnyNamespace()
                        .list()
                        .getItems());
    }

    private static <T extends HasMetadata> List<T> kept(List<T> objects) {
        return objects.stream()
                .filter(object -> !Metadata.isBeingDeleted(object))
                .sorted(Comparator.comparing(CosiObjects::key))
                .toList();
    }

    /** Namespace and name, or only the name. */
    static String key(HasMetadata object) {
        String name = object.getMetadata().getName();
        return object instanceof Namespaced ? object.getMetadata().getNamespace() + "/" + name : name;
    }
}
