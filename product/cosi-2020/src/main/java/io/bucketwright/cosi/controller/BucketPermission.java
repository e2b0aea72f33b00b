package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.PermittedNamespace;

/** Who may use a Bucket. Only the Bucket decides: tenants can write anything into a request. */
final class BucketPermission {

    private BucketPermission() {}

    /** Whether the Bucket was created for the request with this uid. */
    public static boolean isCreatedFor(Bucket bucket, String requestUid) {
        return bucket.getSpec()
                .creator()
                .filter(creator -> creator.uid().equals(requestUid))
                .isPresent();
    }

    /** Whether the Bucket permits the namespace. A namespace that was deleted and created again has another uid. */
    public static boolean isPermitted(Bucket bucket, String namespace, String namespaceUid) {
        return !namespaceUid.isEmpty()
                && bucket.getSpec().permittedNamespaces().contains(new PermittedNamespace(namespace, namespaceUid));
    }

    /**
     * Whether the request may share the Bucket, although the uid of its namespace is not known: the Bucket permits a namespace
     * of that name.
     */
    public static boolean isUndecided(Bucket bucket, BucketRequest request, String namespaceUid) {
        return namespaceUid.isEmpty()
                && !isCreatedFor(bucket, request.getMetadata().getUid())
                && bucket.getSpec().permittedNamespaces().stream()
                        .anyMatch(permitted ->
                                permitted.name().equals(request.getMetadata().getNamespace()));
    }

    /** Whether the request shares the Bucket: then the controller does not delete the Bucket while the request exists. */
    public static boolean isEntitled(Bucket bucket, BucketRequest request, String namespaceUid) {
        return isCreatedFor(bucket, request.getMetadata().getUid())
                || isPermitted(bucket, request.getMetadata().getNamespace(), namespaceUid);
    }
}
