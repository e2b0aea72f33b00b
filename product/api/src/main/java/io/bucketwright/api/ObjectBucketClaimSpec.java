package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The requested bucket, and references to the objects that the controller created for it. */
@ValidationRule(
        value =
                "!has(oldSelf.storageClassName) || oldSelf.storageClassName == '' || (has(self.storageClassName) && self.storageClassName == oldSelf.storageClassName)",
        message = "storageClassName cannot be changed once it is set; create a new claim instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketName) || oldSelf.bucketName == '' || (has(self.bucketName) && self.bucketName == oldSelf.bucketName)",
        message = "bucketName cannot be changed once it is set; create a new claim instead")
@ValidationRule(
        value =
                "!has(oldSelf.generateBucketName) || oldSelf.generateBucketName == '' || (has(self.generateBucketName) && self.generateBucketName == oldSelf.generateBucketName)",
        message = "generateBucketName cannot be changed once it is set; create a new claim instead")
@ValidationRule(
        value = "!has(self.SSL) || !has(self.ssl) || self.SSL == self.ssl",
        message = "SSL and ssl are two spellings of one setting and must not differ")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectBucketClaimSpec(
        @JsonPropertyDescription("The StorageClass that names the provisioner. Defaults to the default bucket class.")
        @Size(max = 253)
        @Nullable
        String storageClassName,

        @JsonPropertyDescription(
                "The name of the bucket. All users of the store share one namespace of bucket names, so prefer generateBucketName.")
        @Size(max = 255)
        @Nullable
        String bucketName,

        @JsonPropertyDescription(
                "The prefix of a generated bucket name. The controller writes the complete name to bucketName.")
        @Size(max = 255)
        @Nullable
        String generateBucketName,

        @JsonPropertyDescription("Options of the bucket, such as maxSize or maxObjects. The class must allow them.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalConfig,

        @JsonPropertyDescription("Whether the connection to the bucket must use TLS.") @JsonProperty("SSL") @Nullable
        Boolean sslUpperCase,

        @JsonPropertyDescription("The same as SSL.") @Nullable
        Boolean ssl,

        @JsonPropertyDescription(
                "A canned ACL by its S3 name, or with the prefix BucketCannedACL. The class must allow it.")
        @Pattern(CannedAcl.PATTERN)
        @Nullable
        String cannedBucketACL,

        @JsonPropertyDescription("Whether versioning is enabled.") @Nullable
        Boolean versioned,

        @JsonPropertyDescription("Set by the controller: the ObjectBucket bound to this claim.")
        @Size(max = 253)
        @Nullable
        String objectBucketName,

        @JsonPropertyDescription("Set by the controller: the ObjectBucket bound to this claim.")
        @SchemaNullable
        @Nullable
        ObjectReference objectBucketRef,

        @JsonPropertyDescription("Set by the controller: the ConfigMap with the connection to the bucket.")
        @SchemaNullable
        @Nullable
        ObjectReference configMapRef,

        @JsonPropertyDescription("Set by the controller: the Secret with the credentials for the bucket.")
        @SchemaNullable
        @Nullable
        ObjectReference secretRef,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    /** A spec in which every field is absent. */
    public static final ObjectBucketClaimSpec EMPTY =
            new ObjectBucketClaimSpec(null, null, null, null, null, null, null, null, null, null, null, null, Map.of());

    public ObjectBucketClaimSpec {
        additionalConfig = JsonValues.frozen(additionalConfig);
        objectBucketRef = JsonValues.compact(objectBucketRef);
        configMapRef = JsonValues.compact(configMapRef);
        secretRef = JsonValues.compact(secretRef);
        unknown = JsonValues.unknown(unknown);
    }

    /** The requested StorageClass; empty for the default bucket class. */
    public Optional<String> storageClass() {
        return JsonValues.text(storageClassName);
    }

    /** The complete bucket name, set by the user or by the controller. */
    public Optional<String> bucket() {
        return JsonValues.text(bucketName);
    }

    /** The prefix of a generated name. */
    public Optional<String> bucketPrefix() {
        return JsonValues.text(generateBucketName);
    }

    /** The name of the ObjectBucket in the claim. Tenants can edit it, so it proves nothing. */
    public Optional<String> objectBucket() {
        return JsonValues.text(objectBucketName);
    }

    public Map<String, String> options() {
        return JsonValues.orEmpty(additionalConfig);
    }

    /** Whether the connection must use TLS: the value of {@code ssl} or {@code SSL}. The schema rejects different values. */
    public Optional<Boolean> tls() {
        return Optional.ofNullable(ssl).or(() -> Optional.ofNullable(sslUpperCase));
    }

    public Optional<CannedAcl> acl() {
        return CannedAcl.of(cannedBucketACL);
    }

    public static Builder builder() {
        return EMPTY.toBuilder();
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builds a spec. Fields that are not set are absent. */
    public static final class Builder {
        private final ObjectBucketClaimSpec original;
        private final Map<String, Object> fields = new HashMap<>();

        private Builder(ObjectBucketClaimSpec original) {
            this.original = original;
        }

        public Builder storageClassName(String value) {
            return set("storageClassName", value);
        }

        public Builder bucketName(String value) {
            return set("bucketName", value);
        }

        public Builder generateBucketName(String value) {
            return set("generateBucketName", value);
        }

        public Builder additionalConfig(Map<String, String> value) {
            return set("additionalConfig", value);
        }

        public Builder sslUpperCase(Boolean value) {
            return set("SSL", value);
        }

        public Builder ssl(Boolean value) {
            return set("ssl", value);
        }

        public Builder cannedBucketACL(String value) {
            return set("cannedBucketACL", value);
        }

        public Builder versioned(Boolean value) {
            return set("versioned", value);
        }

        public Builder objectBucketName(String value) {
            return set("objectBucketName", value);
        }

        public Builder objectBucketRef(ObjectReference value) {
            return set("objectBucketRef", value);
        }

        public Builder configMapRef(ObjectReference value) {
            return set("configMapRef", value);
        }

        public Builder secretRef(ObjectReference value) {
            return set("secretRef", value);
        }

        private Builder set(String field, Object value) {
            fields.put(field, value);
            return this;
        }

        public ObjectBucketClaimSpec build() {
            return JsonValues.with(original, fields, ObjectBucketClaimSpec.class);
        }
    }
}
