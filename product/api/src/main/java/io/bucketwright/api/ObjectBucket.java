package io.bucketwright.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A bucket that was provisioned for a claim. It is cluster-scoped, so that tenants cannot change it. */
@Group(ObjectBucketNames.GROUP)
@Plural("objectbuckets")
@Singular("objectbucket") // otherwise derived, into another String, for each instance
@Version(ObjectBucketNames.VERSION)
@ShortNames({"ob", "obs"})
@Categories("storage")
@AdditionalPrinterColumn(name = "Storage-Class", jsonPath = ".spec.storageClassName")
@AdditionalPrinterColumn(name = "Claim-Namespace", jsonPath = ".spec.claimRef.namespace")
@AdditionalPrinterColumn(name = "Claim-Name", jsonPath = ".spec.claimRef.name")
@AdditionalPrinterColumn(name = "Reclaim-Policy", jsonPath = ".spec.reclaimPolicy")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.endpoint.bucketName")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
public class ObjectBucket extends CustomResource<ObjectBucketSpec, BucketStatus> {

    /** The phase of the bucket; Pending if it has no status. */
    public Phase phase() {
        BucketStatus status = getStatus();
        return Phase.of(status == null ? null : status.phase());
    }

    /** Never null: the schemas of other projects admit an ObjectBucket without a spec. */
    @Override
    @OpenSchema
    public ObjectBucketSpec getSpec() {
        @Nullable ObjectBucketSpec spec = super.getSpec();
        return spec == null ? ObjectBucketSpec.EMPTY : spec;
    }

    /** The object is created before its bucket. The default shows it as Pending without a write. */
    @Override
    @Default("{\"phase\": \"Pending\"}")
    public @Nullable BucketStatus getStatus() {
        return super.getStatus();
    }
}
