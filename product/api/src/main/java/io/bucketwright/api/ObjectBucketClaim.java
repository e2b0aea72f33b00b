package io.bucketwright.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** An application's request for a bucket. */
@Group(ObjectBucketNames.GROUP)
@Plural("objectbucketclaims")
@Singular("objectbucketclaim") // otherwise derived, into another String, for each instance
@Version(ObjectBucketNames.VERSION)
@ShortNames({"obc", "obcs"})
@Categories("storage")
@AdditionalPrinterColumn(name = "Storage-Class", jsonPath = ".spec.storageClassName")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.bucketName")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason", priority = 1)
public class ObjectBucketClaim extends CustomResource<ObjectBucketClaimSpec, BucketStatus> implements Namespaced {

    /** The phase of the claim; Pending if it has no status. */
    public Phase phase() {
        BucketStatus status = getStatus();
        return Phase.of(status == null ? null : status.phase());
    }

    /** Never null: the schemas of other projects admit a claim without a spec. */
    @Override
    @Required
    public ObjectBucketClaimSpec getSpec() {
        @Nullable ObjectBucketClaimSpec spec = super.getSpec();
        return spec == null ? ObjectBucketClaimSpec.EMPTY : spec;
    }

    /** The default shows a new claim as Pending without a write, and not yet observed. */
    @Override
    @Default("{\"phase\": \"Pending\", \"observedGeneration\": 0}")
    public @Nullable BucketStatus getStatus() {
        return super.getStatus();
    }
}
