package io.bucketwright.api.objectstorage;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bucket of a store. Cluster-scoped, so that tenants cannot change it. */
@Group(ReleasedNames.GROUP)
@Kind("Bucket")
@Singular("bucket")
@Plural("buckets")
@Version(ReleasedNames.VERSION)
public class ReleasedBucket extends CustomResource<ReleasedBucketSpec, ReleasedBucketStatus> {

    /** The spec; an empty one if there is none, which the schema admits. */
    public ReleasedBucketSpec spec() {
        @Nullable ReleasedBucketSpec spec = getSpec();
        return spec == null ? ReleasedBucketSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public ReleasedBucketStatus status() {
        @Nullable ReleasedBucketStatus status = getStatus();
        return status == null ? ReleasedBucketStatus.NONE : status;
    }

    /**
     * Whether the deletion of this Bucket deletes the bucket in the store. A bucket that existed before is deleted only if an
     * administrator confirmed it with an annotation.
     */
    public boolean deletesBackend() {
        @Nullable Map<String, String> annotations = getMetadata().getAnnotations();
        boolean confirmed = annotations != null && "true".equals(annotations.get(ReleasedNames.DELETE_EXISTING_BUCKET));
        return spec().deletionPolicy().equals(ReleasedNames.DELETE)
                && (spec().existingBucketID().isEmpty() || confirmed);
    }

    @Override
    public @Nullable ReleasedBucketSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable ReleasedBucketStatus getStatus() {
        return super.getStatus();
    }
}
