package io.bucketwright.cosi.v1alpha2;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The administrator's terms for access to buckets. */
@Group(ReleasedNames.GROUP)
@Kind("BucketAccessClass")
@Singular("bucketaccessclass")
@Plural("bucketaccessclasses")
@Version(V1alpha2Names.VERSION)
public class V1alpha2AccessClass extends CustomResource<V1alpha2AccessClass.AccessClassSpec, Void> {

    /**
     * The driver and what it allows.
     *
     * @param disallowedBucketAccessModes {@code ReadWrite}, {@code ReadOnly} or {@code WriteOnly}
     * @param multiBucketAccess {@code SingleBucket}, also if empty, or {@code MultipleBuckets}
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AccessClassSpec(
            @EmptyIfAbsent String driverName,
            @EmptyIfAbsent String authenticationType,
            @EmptyIfAbsent Map<String, String> parameters,
            @EmptyIfAbsent List<String> disallowedBucketAccessModes,
            @EmptyIfAbsent String multiBucketAccess) {
        static final AccessClassSpec NONE = new AccessClassSpec("", "", Map.of(), List.of(), "");
    }

    /** The spec; an empty one if there is none. */
    public AccessClassSpec spec() {
        @Nullable AccessClassSpec spec = getSpec();
        return spec == null ? AccessClassSpec.NONE : spec;
    }

    @Override
    public @Nullable AccessClassSpec getSpec() {
        return super.getSpec();
    }
}
