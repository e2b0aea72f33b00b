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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The administrator's terms for new buckets. */
@Group(ReleasedNames.GROUP)
@Kind("BucketClass")
@Singular("bucketclass")
@Plural("bucketclasses")
@Version(V1alpha2Names.VERSION)
public class V1alpha2BucketClass extends CustomResource<V1alpha2BucketClass.BucketClassSpec, Void> {

    /** The driver and its parameters. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record BucketClassSpec(
            @EmptyIfAbsent String driverName,
            @EmptyIfAbsent String deletionPolicy,
            @EmptyIfAbsent Map<String, String> parameters) {
        static final BucketClassSpec NONE = new BucketClassSpec("", "", Map.of());
    }

    /** The spec; an empty one if there is none. */
    public BucketClassSpec spec() {
        @Nullable BucketClassSpec spec = getSpec();
        return spec == null ? BucketClassSpec.NONE : spec;
    }

    @Override
    public @Nullable BucketClassSpec getSpec() {
        return super.getSpec();
    }
}
