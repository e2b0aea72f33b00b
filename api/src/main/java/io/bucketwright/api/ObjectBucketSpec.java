package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was made for a claim, and what is needed to unmake it. Only controllers write it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectBucketSpec(
        @JsonPropertyDescription("The StorageClass of the claim.") @Nullable
        String storageClassName,

        @JsonPropertyDescription("What becomes of the bucket when its claim goes: Delete, Retain, Erase or Suspend.")
        @SchemaNullable
        @Nullable
        String reclaimPolicy,

        @JsonPropertyDescription("The claim this bucket was made for.") @SchemaNullable @OpenSchema @Nullable
        ObjectReference claimRef,

        @JsonPropertyDescription("Where the bucket is.") @SchemaNullable @OpenSchema @Nullable
        BucketEndpoint endpoint,

        @JsonPropertyDescription("What the provisioner remembers about the bucket.")
        @SchemaNullable
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        @Nullable
        Map<String, String> additionalState,

        @JsonPropertyDescription("Kept as other provisioners wrote it; Bucketwright puts nothing here.")
        @SchemaNullable
        @OpenSchema
        @Nullable
        Object authentication,

        @JsonPropertyDescription("What provides the object store.") @SchemaNullable @OpenSchema @Nullable
        BucketSource objectBucketSource,

        @JsonPropertyDescription(
                "What was decided before the store was first called. Releasing the bucket follows this alone.")
        @SchemaNullable
        @OpenSchema
        @Nullable
        BucketIntent intent,

        @JsonPropertyDescription("A digest of the Secret that was handed out, to notice when somebody edits it.")
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

    /** Empty while the store has not answered yet. */
    public Optional<BucketEndpoint> reachableAt() {
        return Optional.ofNullable(endpoint);
    }

    public Map<String, String> state() {
        return JsonValues.orEmpty(additionalState);
    }

    /** The intent from its own field, or from the additional state where the installed schema lacks that field. */
    public Optional<BucketIntent> recordedIntent() {
        return Optional.ofNullable(intent).or(() -> BucketIntent.fromState(state()));
    }

    /** The Secret's digest, found as {@link #recordedIntent} is. */
    public Optional<String> recordedSecretDigest() {
        return JsonValues.text(secretDigest).or(() -> JsonValues.text(state().get(ObjectBucketNames.SECRET_DIGEST_STATE)));
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

    /** Collects the fields of an object's spec; what is not set stays absent. */
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
