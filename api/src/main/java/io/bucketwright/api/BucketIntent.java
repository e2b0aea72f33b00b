package io.bucketwright.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about a bucket before its store was first called. It is kept where no tenant can write, and the bucket
 * is released by it alone, whatever has become of the class and the claim since. It names the claim too, because one
 * schema in the field drops the content of {@code claimRef}.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketIntent(
        @JsonPropertyDescription(
                "The version of this record. A controller leaves a bucket alone whose version it does not know.")
        @Required
        @Min(1)
        int version,

        @JsonPropertyDescription("The full name of the provisioner that owns the bucket.")
        String provisioner,

        @JsonPropertyDescription("The StorageClass as it was.")
        String storageClassName,

        @JsonPropertyDescription("Tells that class from a later one of the same name.")
        String storageClassUid,

        @JsonPropertyDescription("The parameters of the class as they were.")
        @JsonDeserialize(contentUsing = LenientTextDeserializer.class)
        Map<String, String> parameters,

        @JsonPropertyDescription("New for a bucket made for the claim, Existing for one that was there before.")
        String origin,

        @JsonPropertyDescription("The name of the bucket in the store.")
        String bucketName,

        @JsonPropertyDescription("What becomes of the bucket when its claim goes.")
        String reclaimPolicy,

        @JsonPropertyDescription("The claim's namespace.") String claimNamespace,

        @JsonPropertyDescription("The claim's name.") String claimName,

        @JsonPropertyDescription("Tells the claim from a later one of the same name.")
        String claimUid,

        @UnknownFields Map<String, @Nullable Object> unknown) {

    /** The version that this code writes, and the newest it can read. */
    public static final int CURRENT = 1;

    public BucketIntent {
        provisioner = orEmpty(provisioner);
        storageClassName = orEmpty(storageClassName);
        storageClassUid = orEmpty(storageClassUid);
        parameters = JsonValues.orEmpty(JsonValues.frozen(parameters));
        origin = orEmpty(origin);
        bucketName = orEmpty(bucketName);
        reclaimPolicy = orEmpty(reclaimPolicy);
        claimNamespace = orEmpty(claimNamespace);
        claimName = orEmpty(claimName);
        claimUid = orEmpty(claimUid);
        unknown = JsonValues.unknown(unknown);
    }

    /** A decision of today's version. */
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

    /** False for a record that a newer release wrote: act on nothing in it. */
    public boolean understood() {
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

    /** Empty if there is no such entry. One that cannot be read is of version 0, which nobody understands. */
    static Optional<BucketIntent> fromState(Map<String, String> state) {
        return JsonValues.text(state.get(ObjectBucketNames.INTENT_STATE)).map(BucketIntent::parse);
    }

    private static BucketIntent parse(String json) {
        try {
            return Serialization.unmarshal(json, BucketIntent.class);
        } catch (IllegalArgumentException | KubernetesClientException damaged) {
            return new BucketIntent(0, "", "", "", Map.of(), "", "", "", "", "", "", Map.of());
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
