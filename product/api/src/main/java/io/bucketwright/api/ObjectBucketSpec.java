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
    /** A spec in which every field is absent. */
    public static final ObjectBucketSpec EMPTY =
            new ObjectBucketSpec(null, null, null, null, null, null, null, null, null, Map.of());

    public ObjectBucketSpec {
        additionalState = JsonValues.frozen(additionalState);
        claimRef = JsonValues.compact(claimRef);
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

    /** A copy with another value of the field of that name. */
    public ObjectBucketSpec with(String field, Object value) {
        return JsonValues.with(this, Map.of(field, value), ObjectBucketSpec.class);
    }
}
