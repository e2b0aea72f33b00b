package io.bucketwright.api.objectstorage;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A user's request for a bucket. */
@Group(ReleasedNames.GROUP)
@Plural("bucketclaims")
@Version(ReleasedNames.VERSION)
@ShortNames("bclaim")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.bucketReady", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".status.bucketName")
@AdditionalPrinterColumn(name = "Class", jsonPath = ".spec.bucketClassName")
public class BucketClaim extends CustomResource<BucketClaimSpec, BucketClaimStatus> implements Namespaced {

    /** The spec; an empty one if there is none, which the schema admits. */
    public BucketClaimSpec spec() {
        @Nullable BucketClaimSpec spec = getSpec();
        return spec == null ? BucketClaimSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public BucketClaimStatus status() {
        @Nullable BucketClaimStatus status = getStatus();
        return status == null ? BucketClaimStatus.NONE : status;
    }

    @Override
    public @Nullable BucketClaimSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable BucketClaimStatus getStatus() {
        return super.getStatus();
    }
}
