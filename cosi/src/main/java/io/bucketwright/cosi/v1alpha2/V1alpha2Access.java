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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A user's request for credentials to the buckets of one or several claims. */
@Group(ReleasedNames.GROUP)
@Kind("BucketAccess")
@Singular("bucketaccess")
@Plural("bucketaccesses")
@Version(V1alpha2Names.VERSION)
public class V1alpha2Access extends CustomResource<V1alpha2Access.AccessSpec, V1alpha2Access.AccessStatus>
        implements Namespaced {

    /** What a user asks for. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AccessSpec(
            @EmptyIfAbsent List<ClaimAccess> bucketClaims,
            @EmptyIfAbsent String bucketAccessClassName,
            @EmptyIfAbsent String protocol,
            @EmptyIfAbsent String serviceAccountName) {
        static final AccessSpec NONE = new AccessSpec(List.of(), "", "", "");
    }

    /**
     * What is known about the access. The controller writes the driver, the buckets and the terms of the class, and with that
     * hands the access over to the sidecar of the driver.
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AccessStatus(
            boolean readyToUse,
            @EmptyIfAbsent String accountID,
            @EmptyIfAbsent List<AccessedBucket> accessedBuckets,
            @EmptyIfAbsent String driverName,
            @EmptyIfAbsent String authenticationType,
            @EmptyIfAbsent Map<String, String> parameters,
            @Nullable StatusError error) {
        static final AccessStatus NONE = new AccessStatus(false, "", List.of(), "", "", Map.of(), null);
    }

    /**
     * One claim, how its bucket is accessed, and the Secret for it.
     *
     * @param accessMode {@code ReadWrite}, {@code ReadOnly} or {@code WriteOnly}
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClaimAccess(
            @EmptyIfAbsent String bucketClaimName,
            @EmptyIfAbsent String accessMode,
            @EmptyIfAbsent String accessSecretName) {}

    /** A bucket that the driver grants access to. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AccessedBucket(
            @EmptyIfAbsent String bucketName,
            @EmptyIfAbsent String bucketID,
            @EmptyIfAbsent String bucketClaimName) {}

    /** The spec; an empty one if there is none. */
    public AccessSpec spec() {
        @Nullable AccessSpec spec = getSpec();
        return spec == null ? AccessSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public AccessStatus status() {
        @Nullable AccessStatus status = getStatus();
        return status == null ? AccessStatus.NONE : status;
    }

    @Override
    public @Nullable AccessSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable AccessStatus getStatus() {
        return super.getStatus();
    }
}
