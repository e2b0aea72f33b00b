package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.runtime.ObjectKey;
import java.util.Optional;

/** Collects from the caches what concerns one BucketAccess. */
public record BucketAccessObserver(CosiCaches cluster, AccessSecrets secrets) {

    public Optional<BucketAccessView> observe(ObjectKey key) {
        return cluster.accesses.get("", key.name()).filter(key::names).map(this::view);
    }

    private BucketAccessView view(BucketAccess access) {
        return new BucketAccessView(
                access,
                requestOf(access),
                cluster.bucketOf(access),
                secrets.granted(access).isPresent());
    }

    private Optional<BucketAccessRequest> requestOf(BucketAccess access) {
        return cluster.accessRequests
                .get(
                        access.getSpec().bucketAccessRequestNamespace(),
                        access.getSpec().bucketAccessRequestName())
                .filter(found ->
                        found.getMetadata().getUid().equals(access.getSpec().bucketAccessRequestUid()));
    }
}
