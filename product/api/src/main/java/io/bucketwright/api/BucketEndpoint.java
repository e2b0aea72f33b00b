package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connection to a bucket. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BucketEndpoint(
        @JsonPropertyDescription("The host name of the store, without scheme and port.") @Nullable
        String bucketHost,

        @JsonPropertyDescription("The port of the store.") @Nullable
        Integer bucketPort,

        @JsonPropertyDescription("The name of the bucket in the store.") @Nullable
        String bucketName,

        @JsonPropertyDescription("The region of the bucket, if the store has regions.") @Nullable
        String region,

        @JsonPropertyDescription("The subregion of the bucket, if the store has subregions.") @Nullable
        String subRegion,

        @JsonPropertyDescription("Additional configuration for applications, written by the provisioner.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfig,

        @JsonPropertyDescription("The same as additionalConfig, under the name of the ObjectBucket design document.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfigData,

        @JsonPropertyDescription("The port for TLS connections.") @Nullable
        Integer securePort,

        @JsonPropertyDescription("Whether connections use TLS.") @Nullable
        Boolean ssl,

        @JsonPropertyDescription("Whether versioning is enabled.") @Nullable
        Boolean versioned,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public BucketEndpoint {
        additionalConfig = JsonValues.frozen(additionalConfig);
        // One map in memory: Bucketwright writes the same under both names.
        additionalConfigData = additionalConfig != null && additionalConfig.equals(additionalConfigData)
                ? additionalConfig
                : JsonValues.frozen(additionalConfigData);
        unknown = JsonValues.unknown(unknown);
    }

    public Optional<String> bucket() {
        return JsonValues.text(bucketName);
    }

    /** Both maps merged. {@code additionalConfig} wins, because Rook and NooBaa write it. */
    public Map<String, String> config() {
        Map<String, String> all = new LinkedHashMap<>(JsonValues.orEmpty(additionalConfigData));
        all.putAll(JsonValues.orEmpty(additionalConfig));
        return Collections.unmodifiableMap(all);
    }
}
