package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.api.cosi.PermittedNamespace;

/** Who may use a Bucket. The Bucket alone decides: whatever a request says, its author may have made up. */
final class Permission {

    private Permission() {}

    /** Whether the Bucket was made for this very request. */
    static boolean isMadeFor(Bucket bucket, BucketRequest request) {
        return bucket.getSpec()
                .madeFor()
                .filter(creator -> creator.uid().equals(request.getMetadata().getUid()))
                .isPresent();
    }

    /** Whether the Bucket is open to the namespace; one that was deleted and made again under its name is another. */
    static boolean isOpenTo(Bucket bucket, String namespace, String namespaceUid) {
        return !namespaceUid.isEmpty()
                && bucket.getSpec().permittedNamespaces().contains(new PermittedNamespace(namespace, namespaceUid));
    }

    /** Whether the request has a part in the Bucket: then the Bucket does not go as long as the request is there. */
    static boolean isEntitled(Bucket bucket, BucketRequest request, String namespaceUid) {
        return isMadeFor(bucket, request)
                || isOpenTo(bucket, request.getMetadata().getNamespace(), namespaceUid);
    }
}
