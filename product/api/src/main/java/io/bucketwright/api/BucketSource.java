package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The provider of the object store of a bucket. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BucketSource(
        @JsonPropertyDescription("The name of the provisioner.") @Nullable
        String provider,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public BucketSource {
        unknown = JsonValues.unknown(unknown);
    }

    public static BucketSource of(String provider) {
        return new BucketSource(provider, Map.of());
    }
}
