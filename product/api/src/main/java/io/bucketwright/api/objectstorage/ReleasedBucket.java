package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
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
@ShortNames("bkt")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.bucketReady", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Driver", jsonPath = ".spec.driverName")
@AdditionalPrinterColumn(name = "Claim-Namespace", jsonPath = ".spec.bucketClaim.namespace")
@AdditionalPrinterColumn(name = "Claim", jsonPath = ".spec.bucketClaim.name")
@AdditionalPrinterColumn(name = "Policy", jsonPath = ".spec.deletionPolicy")
@AdditionalPrinterColumn(name = "Id", jsonPath = ".status.bucketID", priority = 1)
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
        boolean confirmed = annotation(ReleasedNames.DELETE_EXISTING_BUCKET).equals("true");
        return spec().deletionPolicy().equals(ReleasedNames.DELETE)
                && (spec().existingBucketID().isEmpty() || confirmed);
    }

    /** Whether the sidecar has recorded this very Bucket: only then what the record says is about its bucket. */
    @JsonIgnore
    public boolean isRecorded() {
        return annotation(ReleasedNames.BUCKET_UID).equals(getMetadata().getUid());
    }

    /**
     * Whether it was restored from a backup, in this cluster or in another one: its record is that of another Bucket. That one,
     * or another cluster, may use the bucket, so nothing may be created, granted, revoked or destroyed.
     */
    @JsonIgnore
    public boolean isRestored() {
        return !annotation(ReleasedNames.BUCKET_UID).isEmpty() && !isRecorded();
    }

    /** Whether an administrator has confirmed that this restored Bucket, and nobody else, uses its bucket. */
    @JsonIgnore
    public boolean isConfirmed() {
        return annotation(ReleasedNames.USE_RESTORED).equals(getMetadata().getUid());
    }

    /** The value of the annotation; empty if there is none. */
    public String annotation(String key) {
        @Nullable Map<String, String> annotations = getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(key, "");
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
