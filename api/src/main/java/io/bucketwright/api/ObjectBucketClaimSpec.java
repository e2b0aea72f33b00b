package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a claim asks for, and the names of what was made for it. */
@ValidationRule(
        value =
                "!has(oldSelf.storageClassName) || oldSelf.storageClassName == '' || (has(self.storageClassName) && self.storageClassName == oldSelf.storageClassName)",
        message = "storageClassName cannot be changed once it is set; make a new claim instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketName) || oldSelf.bucketName == '' || (has(self.bucketName) && self.bucketName == oldSelf.bucketName)",
        message = "bucketName cannot be changed once it is set; make a new claim instead")
@ValidationRule(
        value =
                "!has(oldSelf.generateBucketName) || oldSelf.generateBucketName == '' || (has(self.generateBucketName) && self.generateBucketName == oldSelf.generateBucketName)",
        message = "generateBucketName cannot be changed once it is set; make a new claim instead")
@ValidationRule(
        value = "!has(self.SSL) || !has(self.ssl) || self.SSL == self.ssl",
        message = "SSL and ssl are two spellings of one setting and may not differ")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectBucketClaimSpec(
        @JsonPropertyDescription("The StorageClass that names the provisioner; the default bucket class if absent.")
        @Size(max = 253)
        @Nullable
        String storageClassName,

        @JsonPropertyDescription(
                "The bucket's name. Names are shared by everybody who uses the store: prefer generateBucketName.")
        @Size(max = 255)
        @Nullable
        String bucketName,

        @JsonPropertyDescription("The beginning of a name; the rest is made up and the whole written to bucketName.")
        @Size(max = 255)
        @Nullable
        String generateBucketName,

        @JsonPropertyDescription(
                "Options of the provisioner, such as maxSize or maxObjects, as far as the class allows them.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfig,

        @JsonPropertyDescription("Whether the connection to the bucket must be encrypted.")
        @JsonProperty("SSL")
        @Nullable
        Boolean sslUpperCase,

        @JsonPropertyDescription("The same as SSL.") @Nullable
        Boolean ssl,

        @JsonPropertyDescription(
                "A predefined access list, by S3's name or with BucketCannedACL before it, as far as the class allows it.")
        @Pattern(CannedAcl.PATTERN)
        @Nullable
        String cannedBucketACL,

        @JsonPropertyDescription("Whether the bucket keeps old versions of its objects.") @Nullable
        Boolean versioned,

        @JsonPropertyDescription("Set by the controller: the ObjectBucket bound to this claim.")
        @Size(max = 253)
        @Nullable
        String objectBucketName,

        @JsonPropertyDescription("Set by the controller: the ObjectBucket bound to this claim.") @SchemaNullable @Nullable
        ObjectReference objectBucketRef,

        @JsonPropertyDescription("Set by the controller: the ConfigMap that says where the bucket is.")
        @SchemaNullable
        @Nullable
        ObjectReference configMapRef,

        @JsonPropertyDescription("Set by the controller: the Secret that opens the bucket.") @SchemaNullable @Nullable
        ObjectReference secretRef,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public ObjectBucketClaimSpec {
        additionalConfig = JsonValues.frozen(additionalConfig);
        unknown = JsonValues.unknown(unknown);
    }

    /** The class asked for; empty means the default one. */
    public Optional<String> storageClass() {
        return JsonValues.text(storageClassName);
    }

    /** The bucket's whole name, given by the user or written by a controller. */
    public Optional<String> bucket() {
        return JsonValues.text(bucketName);
    }

    /** How a made-up name is to begin. */
    public Optional<String> bucketPrefix() {
        return JsonValues.text(generateBucketName);
    }

    /** The ObjectBucket this claim is bound to, as far as the claim itself says. */
    public Optional<String> objectBucket() {
        return JsonValues.text(objectBucketName);
    }

    public Map<String, String> options() {
        return JsonValues.orEmpty(additionalConfig);
    }

    /** Either spelling; the schema refuses two that differ. */
    public Optional<Boolean> encrypted() {
        return Optional.ofNullable(ssl).or(() -> Optional.ofNullable(sslUpperCase));
    }

    public Optional<CannedAcl> acl() {
        return CannedAcl.of(cannedBucketACL);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.storageClassName = storageClassName;
        builder.bucketName = bucketName;
        builder.generateBucketName = generateBucketName;
        builder.additionalConfig = additionalConfig;
        builder.sslUpperCase = sslUpperCase;
        builder.ssl = ssl;
        builder.cannedBucketACL = cannedBucketACL;
        builder.versioned = versioned;
        builder.objectBucketName = objectBucketName;
        builder.objectBucketRef = objectBucketRef;
        builder.configMapRef = configMapRef;
        builder.secretRef = secretRef;
        builder.unknown = unknown;
        return builder;
    }

    /** Collects the fields of an object's spec; what is not set stays absent. */
    public static final class Builder {
        private @Nullable String storageClassName;
        private @Nullable String bucketName;
        private @Nullable String generateBucketName;
        private @Nullable Map<String, String> additionalConfig;
        private @Nullable Boolean sslUpperCase;
        private @Nullable Boolean ssl;
        private @Nullable String cannedBucketACL;
        private @Nullable Boolean versioned;
        private @Nullable String objectBucketName;
        private @Nullable ObjectReference objectBucketRef;
        private @Nullable ObjectReference configMapRef;
        private @Nullable ObjectReference secretRef;
        private Map<String, @Nullable Object> unknown = Map.of();

        private Builder() {}

        public Builder storageClassName(String value) {
            storageClassName = value;
            return this;
        }

        public Builder bucketName(String value) {
            bucketName = value;
            return this;
        }

        public Builder generateBucketName(String value) {
            generateBucketName = value;
            return this;
        }

        public Builder additionalConfig(Map<String, String> value) {
            additionalConfig = value;
            return this;
        }

        public Builder sslUpperCase(Boolean value) {
            sslUpperCase = value;
            return this;
        }

        public Builder ssl(Boolean value) {
            ssl = value;
            return this;
        }

        public Builder cannedBucketACL(String value) {
            cannedBucketACL = value;
            return this;
        }

        public Builder versioned(Boolean value) {
            versioned = value;
            return this;
        }

        public Builder objectBucketName(String value) {
            objectBucketName = value;
            return this;
        }

        public Builder objectBucketRef(ObjectReference value) {
            objectBucketRef = value;
            return this;
        }

        public Builder configMapRef(ObjectReference value) {
            configMapRef = value;
            return this;
        }

        public Builder secretRef(ObjectReference value) {
            secretRef = value;
            return this;
        }

        public ObjectBucketClaimSpec build() {
            return new ObjectBucketClaimSpec(
                    storageClassName,
                    bucketName,
                    generateBucketName,
                    additionalConfig,
                    sslUpperCase,
                    ssl,
                    cannedBucketACL,
                    versioned,
                    objectBucketName,
                    objectBucketRef,
                    configMapRef,
                    secretRef,
                    unknown);
        }
    }
}
