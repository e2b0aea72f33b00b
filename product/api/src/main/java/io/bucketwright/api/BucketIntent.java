package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about a bucket, recorded before the first call to its store. Tenants cannot write it. The bucket is released
 * according to this record only, even if the class or the claim has changed since. It contains the name of the claim, because
 * one CRD in use drops the content of {@code claimRef}.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketIntent(
        @JsonPropertyDescription(
                "The version of this record. A controller does not change a bucket with an unknown version.")
        @Required
        @Min(1)
        int version,

        @JsonPropertyDescription("The full name of the provisioner of the bucket.") @EmptyIfAbsent
        String provisioner,

        @JsonPropertyDescription("The name of the StorageClass at the time of provisioning.") @EmptyIfAbsent
        String storageClassName,

        @JsonPropertyDescription("The uid of the StorageClass.") @EmptyIfAbsent
        String storageClassUid,

        @JsonPropertyDescription("The parameters of the StorageClass at the time of provisioning.")
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        Map<String, String> parameters,

        @JsonPropertyDescription(
                "New for a bucket that was created for the claim, Existing for a bucket that existed before.")
        @EmptyIfAbsent
        String origin,

        @JsonPropertyDescription("The name of the bucket in the store.") @EmptyIfAbsent
        String bucketName,

        @JsonPropertyDescription(
                "What happens to the bucket when its claim is deleted: Delete, Retain, Erase or Suspend.")
        @EmptyIfAbsent
        String reclaimPolicy,

        @JsonPropertyDescription("The namespace of the claim.") @EmptyIfAbsent
        String claimNamespace,

        @JsonPropertyDescription("The name of the claim.") @EmptyIfAbsent
        String claimName,

        @JsonPropertyDescription("The uid of the claim.") @EmptyIfAbsent
        String claimUid,

        @UnknownFields Map<String, @Nullable Object> unknown) {

    /** The version that this release writes, and the newest that it can read. */
    public static final int CURRENT = 1;

    public BucketIntent {
        parameters = JsonValues.orEmpty(JsonValues.frozen(parameters));
        unknown = JsonValues.unknown(unknown);
    }

    /** Creates a record of the current version. */
    public static BucketIntent of(
            String provisioner,
            BucketClassRef bucketClass,
            ObjectReference claim,
            BucketOrigin origin,
            String bucketName,
            ReclaimPolicy reclaimPolicy) {
        return new BucketIntent(
                CURRENT,
                provisioner,
                bucketClass.name(),
                bucketClass.uid(),
                bucketClass.parameters(),
                origin.text(),
                bucketName,
                reclaimPolicy.text(),
                claim.getNamespace(),
                claim.getName(),
                claim.getUid(),
                Map.of());
    }

    /** The same decisions, with a store that is reached as another class of the same name says. */
    public BucketIntent withClass(String uid, Map<String, String> classParameters) {
        return new BucketIntent(
                version,
                provisioner,
                storageClassName,
                uid,
                classParameters,
                origin,
                bucketName,
                reclaimPolicy,
                claimNamespace,
                claimName,
                claimUid,
                unknown);
    }

    /** False for a record that a newer release wrote. Do not act on such a record. */
    public boolean supported() {
        return version >= 1 && version <= CURRENT;
    }

    public Optional<BucketOrigin> bucketOrigin() {
        return BucketOrigin.of(origin);
    }

    public Optional<ReclaimPolicy> policy() {
        return ReclaimPolicy.of(reclaimPolicy);
    }

    /** The entry for {@code spec.additionalState} where the installed schema would drop {@code spec.intent}. */
    public Map<String, String> toState() {
        return Map.of(ObjectBucketNames.INTENT_STATE, Serialization.asJson(this));
    }

    /** Empty if there is no such entry. A malformed entry has version 0, which is not supported. */
    static Optional<BucketIntent> fromState(Map<String, String> state) {
        return JsonValues.text(state.get(ObjectBucketNames.INTENT_STATE)).map(BucketIntent::parse);
    }

    private static BucketIntent parse(String json) {
        try {
            return Serialization.unmarshal(json, BucketIntent.class);
        } catch (IllegalArgumentException | KubernetesClientException malformed) {
            return new BucketIntent(0, "", "", "", Map.of(), "", "", "", "", "", "", Map.of());
        }
    }
}
