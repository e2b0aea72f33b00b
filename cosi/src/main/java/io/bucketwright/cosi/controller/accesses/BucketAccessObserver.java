package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.RotationTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Optional;

/** Collects from the caches what concerns one BucketAccess. */
public final class BucketAccessObserver {

    private final CosiCaches cluster;
    private final AccessSecrets secrets;

    public BucketAccessObserver(CosiCaches cluster) {
        this.cluster = cluster;
        this.secrets = new AccessSecrets(cluster);
    }

    public BucketAccessView observe(ObjectKey key) {
        Optional<BucketAccess> access = cluster.access(key.name()).filter(key::names);
        Optional<BucketAccessRequest> request =
                access.flatMap(this::requestOf).filter(found -> !Metadata.isBeingDeleted(found));
        return new BucketAccessView(
                access,
                request.isPresent(),
                request.map(RotationTime::of).orElse(""),
                access.flatMap(cluster::bucketOf),
                access.flatMap(secrets::granted).isPresent());
    }

    private Optional<BucketAccessRequest> requestOf(BucketAccess access) {
        return cluster.accessRequest(
                        access.getSpec().bucketAccessRequestNamespace(),
                        access.getSpec().bucketAccessRequestName())
                .filter(found ->
                        found.getMetadata().getUid().equals(access.getSpec().bucketAccessRequestUid()));
    }
}
