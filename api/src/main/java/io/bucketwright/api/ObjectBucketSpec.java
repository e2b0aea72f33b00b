package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The provisioned bucket, and the record that its deletion needs. Only controllers write it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectBucketSpec(
        @JsonPropertyDescription("The name of the StorageClass of the claim.") @Nullable
        String storageClassName,

        @JsonPropertyDescription(
                "What happens to the bucket when its claim is deleted: Delete, Retain, Erase or Suspend.")
        @SchemaNullable
        @Nullable
        String reclaimPolicy,

        @JsonPropertyDescription("The claim that this bucket is bound to.") @SchemaNullable @OpenSchema @Nullable
        ObjectReference claimRef,

        @JsonPropertyDescription("The connection to the bucket.") @SchemaNullable @OpenSchema @Nullable
        BucketEndpoint endpoint,

        @JsonPropertyDescription("State that the provisioner records about the bucket.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalState,

        @JsonPropertyDescription("Written by other provisioners only. Bucketwright keeps it unchanged.")
        @SchemaNullable
        @OpenSchema
        @Nullable
        Object authentication,

        @JsonPropertyDescription("The provider of the object store.") @SchemaNullable @OpenSchema @Nullable
        BucketSource objectBucketSource,

        @JsonPropertyDescription(
                "The decisions recorded before the first call to the store. The bucket is released according to this record only.")
        @SchemaNullable
        @OpenSchema
        @Nullable
        BucketIntent intent,

        @JsonPropertyDescription("A digest of the Secret with the credentials, to detect changes.")
        @Size(max = 255)
        @Nullable
        String secretDigest,

        @UnknownFields Map<String, @Nullable Object> unknown) {
    public ObjectBucketSpec {
        additionalState = JsonValues.frozen(additionalState);
        unknown = JsonValues.unknown(unknown);
    }

    public Optional<ObjectReference> claim() {
        return Optional.ofNullable(claimRef);
    }

    /** Empty until the bucket is provisioned. */
    public Optional<BucketEndpoint> reachableAt() {
        return Optional.ofNullable(endpoint);
    }

    public Map<String, String> state() {
        return JsonValues.orEmpty(additionalState);
    }

    /** The intent from its field, or from the additional state if the installed schema has no such field. */
    public Optional<BucketIntent> recordedIntent() {
        return Optional.ofNullable(intent).or(() -> BucketIntent.fromState(state()));
    }

    /** The digest of the Secret, from its field or from the additional state. */
    public Optional<String> recordedSecretDigest() {
        return JsonValues.text(secretDigest)
                .or(() -> JsonValues.text(state().get(ObjectBucketNames.SECRET_DIGEST_STATE)));
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.storageClassName = storageClassName;
        builder.reclaimPolicy = reclaimPolicy;
        builder.claimRef = claimRef;
        builder.endpoint = endpoint;
        builder.additionalState = additionalState;
        builder.authentication = authentication;
        builder.objectBucketSource = objectBucketSource;
        builder.intent = intent;
        builder.secretDigest = secretDigest;
        builder.unknown = unknown;
        return builder;
    }

    /** Builds a spec. Fields that are not set are absent. */
    public static final class Builder {
        private @Nullable String storageClassName;
        private @Nullable String reclaimPolicy;
        private @Nullable ObjectReference claimRef;
        private @Nullable BucketEndpoint endpoint;
        private @Nullable Map<String, String> additionalState;
        private @Nullable Object authentication;
        private @Nullable BucketSource objectBucketSource;
        private @Nullable BucketIntent intent;
        private @Nullable String secretDigest;
        private Map<String, @Nullable Object> unknown = Map.of();

        private Builder() {}

        public Builder storageClassName(String value) {
            storageClassName = value;
            return this;
        }

        public Builder reclaimPolicy(String value) {
            reclaimPolicy = value;
            return this;
        }

        public Builder claimRef(ObjectReference value) {
            claimRef = value;
            return this;
        }

        public Builder endpoint(BucketEndpoint value) {
            endpoint = value;
            return this;
        }

        public Builder additionalState(Map<String, String> value) {
            additionalState = value;
            return this;
        }

        public Builder authentication(Object value) {
            authentication = value;
            return this;
        }

        public Builder objectBucketSource(BucketSource value) {
            objectBucketSource = value;
            return this;
        }

        public Builder intent(BucketIntent value) {
            intent = value;
            return this;
        }

        public Builder secretDigest(String value) {
            secretDigest = value;
            return this;
        }

        public ObjectBucketSpec build() {
            return new ObjectBucketSpec(
                    storageClassName,
                    reclaimPolicy,
                    claimRef,
                    endpoint,
                    additionalState,
                    authentication,
                    objectBucketSource,
                    intent,
                    secretDigest,
                    unknown);
        }
    }
}
