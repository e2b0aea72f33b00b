package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a bucket is, and how it is spoken to. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BucketEndpoint(
        @JsonPropertyDescription("The host, without scheme or port.") @Nullable
        String bucketHost,

        @JsonPropertyDescription("The port.") @Nullable Integer bucketPort,

        @JsonPropertyDescription("The bucket's name in the store.") @Nullable
        String bucketName,

        @JsonPropertyDescription("The region, if the store has any.") @Nullable
        String region,

        @JsonPropertyDescription("The part of the region, if it has any.") @Nullable
        String subRegion,

        @JsonPropertyDescription("What else the provisioner tells applications.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfig,

        @JsonPropertyDescription("The same as additionalConfig, under the name of the design document.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfigData,

        @JsonPropertyDescription("The port for encrypted connections.") @Nullable
        Integer securePort,

        @JsonPropertyDescription("Whether connections are encrypted.") @Nullable
        Boolean ssl,

        @JsonPropertyDescription("Whether the bucket keeps old versions of its objects.") @Nullable
        Boolean versioned,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public BucketEndpoint {
        additionalConfig = JsonValues.frozen(additionalConfig);
        additionalConfigData = JsonValues.frozen(additionalConfigData);
        unknown = JsonValues.unknown(unknown);
    }

    public Optional<String> bucket() {
        return JsonValues.text(bucketName);
    }

    /** Both maps as one; where they differ, the name that ships wins over the one that was designed. */
    public Map<String, String> config() {
        Map<String, String> all = new LinkedHashMap<>(JsonValues.orEmpty(additionalConfigData));
        all.putAll(JsonValues.orEmpty(additionalConfig));
        return Collections.unmodifiableMap(all);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.bucketHost = bucketHost;
        builder.bucketPort = bucketPort;
        builder.bucketName = bucketName;
        builder.region = region;
        builder.subRegion = subRegion;
        builder.additionalConfig = additionalConfig;
        builder.additionalConfigData = additionalConfigData;
        builder.securePort = securePort;
        builder.ssl = ssl;
        builder.versioned = versioned;
        builder.unknown = unknown;
        return builder;
    }

    /** Collects the fields of an endpoint; what is not set stays absent. */
    public static final class Builder {
        private @Nullable String bucketHost;
        private @Nullable Integer bucketPort;
        private @Nullable String bucketName;
        private @Nullable String region;
        private @Nullable String subRegion;
        private @Nullable Map<String, String> additionalConfig;
        private @Nullable Map<String, String> additionalConfigData;
        private @Nullable Integer securePort;
        private @Nullable Boolean ssl;
        private @Nullable Boolean versioned;
        private Map<String, @Nullable Object> unknown = Map.of();

        private Builder() {}

        public Builder bucketHost(String value) {
            bucketHost = value;
            return this;
        }

        public Builder bucketPort(Integer value) {
            bucketPort = value;
            return this;
        }

        public Builder bucketName(String value) {
            bucketName = value;
            return this;
        }

        public Builder region(String value) {
            region = value;
            return this;
        }

        public Builder subRegion(String value) {
            subRegion = value;
            return this;
        }

        public Builder additionalConfig(Map<String, String> value) {
            additionalConfig = value;
            return this;
        }

        public Builder additionalConfigData(Map<String, String> value) {
            additionalConfigData = value;
            return this;
        }

        public Builder securePort(Integer value) {
            securePort = value;
            return this;
        }

        public Builder ssl(Boolean value) {
            ssl = value;
            return this;
        }

        public Builder versioned(Boolean value) {
            versioned = value;
            return this;
        }

        public BucketEndpoint build() {
            return new BucketEndpoint(
                    bucketHost,
                    bucketPort,
                    bucketName,
                    region,
                    subRegion,
                    additionalConfig,
                    additionalConfigData,
                    securePort,
                    ssl,
                    versioned,
                    unknown);
        }
    }
}
