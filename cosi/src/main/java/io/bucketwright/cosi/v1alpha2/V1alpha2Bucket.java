package io.bucketwright.cosi.v1alpha2;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bucket of a driver. */
@Group(ReleasedNames.GROUP)
@Kind("Bucket")
@Singular("bucket")
@Plural("buckets")
@Version(V1alpha2Names.VERSION)
public class V1alpha2Bucket extends CustomResource<V1alpha2Bucket.BucketSpec, V1alpha2Bucket.BucketStatus> {

    /** The driver, the claim, and what happens to the bucket when the claim is deleted. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record BucketSpec(
            @EmptyIfAbsent String driverName,
            @EmptyIfAbsent String deletionPolicy,
            @EmptyIfAbsent Map<String, String> parameters,
            @EmptyIfAbsent List<String> protocols,
            @Nullable ClaimReference bucketClaimRef,
            @EmptyIfAbsent String existingBucketID) {
        static final BucketSpec NONE = new BucketSpec("", "", Map.of(), List.of(), null, "");
    }

    /** What the driver has answered. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record BucketStatus(
            boolean readyToUse,
            @EmptyIfAbsent String bucketID,
            @EmptyIfAbsent List<String> protocols,
            @EmptyIfAbsent Map<String, String> bucketInfo,
            @Nullable StatusError error) {
        static final BucketStatus NONE = new BucketStatus(false, "", List.of(), Map.of(), null);
    }

    /** The claim of a Bucket. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClaimReference(
            @EmptyIfAbsent String name,
            @EmptyIfAbsent String namespace,
            @EmptyIfAbsent String uid) {
        static final ClaimReference NONE = new ClaimReference("", "", "");

        /** Whether the Bucket is bound to this very claim. */
        public boolean isBoundTo(HasMetadata claim) {
            return names(claim) && uid.equals(claim.getMetadata().getUid());
        }

        /** Whether the Bucket is bound to the claim or reserved for it. */
        public boolean permits(HasMetadata claim) {
            return names(claim)
                    && (uid.isEmpty() || uid.equals(claim.getMetadata().getUid()));
        }

        private boolean names(HasMetadata claim) {
            return name.equals(claim.getMetadata().getName())
                    && namespace.equals(claim.getMetadata().getNamespace());
        }
    }

    /** The claim in the spec; an empty reference if there is none. */
    public ClaimReference claim() {
        @Nullable ClaimReference reference = spec().bucketClaimRef();
        return reference == null ? ClaimReference.NONE : reference;
    }

    /** The spec; an empty one if there is none. */
    public BucketSpec spec() {
        @Nullable BucketSpec spec = getSpec();
        return spec == null ? BucketSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public BucketStatus status() {
        @Nullable BucketStatus status = getStatus();
        return status == null ? BucketStatus.NONE : status;
    }

    @Override
    public @Nullable BucketSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable BucketStatus getStatus() {
        return super.getStatus();
    }
}
