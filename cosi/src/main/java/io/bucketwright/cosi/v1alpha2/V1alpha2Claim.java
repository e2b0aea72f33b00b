package io.bucketwright.cosi.v1alpha2;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user's request for a bucket. */
@Group(ReleasedNames.GROUP)
@Kind("BucketClaim")
@Singular("bucketclaim")
@Plural("bucketclaims")
@Version(V1alpha2Names.VERSION)
public class V1alpha2Claim extends CustomResource<V1alpha2Claim.ClaimSpec, V1alpha2Claim.ClaimStatus>
        implements Namespaced {

    /**
     * What a user asks for.
     *
     * @param existingBucketName a Bucket of an administrator; either this or the class is set
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClaimSpec(
            @EmptyIfAbsent String bucketClassName,
            @EmptyIfAbsent String existingBucketName,
            @EmptyIfAbsent List<String> protocols) {
        static final ClaimSpec NONE = new ClaimSpec("", "", List.of());
    }

    /** What is known about the bucket. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClaimStatus(
            @EmptyIfAbsent String boundBucketName,
            boolean readyToUse,
            @EmptyIfAbsent List<String> protocols,
            @Nullable StatusError error) {
        static final ClaimStatus NONE = new ClaimStatus("", false, List.of(), null);
    }

    /** The spec; an empty one if there is none. */
    public ClaimSpec spec() {
        @Nullable ClaimSpec spec = getSpec();
        return spec == null ? ClaimSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public ClaimStatus status() {
        @Nullable ClaimStatus status = getStatus();
        return status == null ? ClaimStatus.NONE : status;
    }

    @Override
    public @Nullable ClaimSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable ClaimStatus getStatus() {
        return super.getStatus();
    }
}
