package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One account on one bucket: what was decided before the provisioner was first called. Only the controller writes it. */
@ValidationRule(value = "self == oldSelf", message = "a BucketAccess cannot be changed")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketAccessSpec(
        @JsonPropertyDescription("The BucketAccessRequest it was created for.")
        @Required
        @Size(min = 1, max = 253)
        @EmptyIfAbsent
        String bucketAccessRequestName,

        @JsonPropertyDescription("The namespace of that request.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String bucketAccessRequestNamespace,

        @JsonPropertyDescription("The uid of that request.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String bucketAccessRequestUid,

        @JsonPropertyDescription("The BucketRequest through which the Bucket is accessed.") @Required
        BucketRequestRef bucketRequest,

        @JsonPropertyDescription(
                "The ServiceAccount of the request's namespace that gets access, if the request names one.")
        @Size(max = 253)
        @EmptyIfAbsent
        String serviceAccountName,

        @JsonPropertyDescription(
                "The Secret with the credentials in the provisioner's namespace: ba- and the uid of the BucketAccessRequest.")
        @Size(max = 253)
        @EmptyIfAbsent
        String accessSecretName,

        @JsonPropertyDescription("The copy of that Secret in the request's namespace.")
        @Required
        @Size(min = 1, max = 253)
        @EmptyIfAbsent
        String applicationSecretName,

        @JsonPropertyDescription("The Bucket.") @Required @Size(min = 1, max = 253) @EmptyIfAbsent
        String bucketName,

        @JsonPropertyDescription("The uid of the Bucket.") @Required @Size(min = 1, max = 63) @EmptyIfAbsent
        String bucketUid,

        @JsonPropertyDescription("The provisioner that serves this access: <namespace>/<name>.")
        @Required
        @Pattern(Provisioner.PATTERN)
        @Size(max = 317)
        @EmptyIfAbsent
        String provisioner,

        @JsonPropertyDescription("The protocol of the access: s3, gcs or azureBlob.")
        @Required
        @Pattern(Protocol.PATTERN)
        @EmptyIfAbsent
        String protocol,

        @JsonPropertyDescription("The allowed and denied actions of the account.")
        PolicyActions policyActions,

        @JsonPropertyDescription("The parameters of the BucketAccessClass.") @Size(max = 512) @EmptyIfAbsent
        Map<String, String> parameters) {
    public BucketAccessSpec {
        policyActions = Objects.requireNonNullElse(policyActions, PolicyActions.NONE);
        bucketRequest = Objects.requireNonNullElse(bucketRequest, BucketRequestRef.NONE);
    }

    /** The provisioner, if the text is valid. */
    public Optional<Provisioner> servedBy() {
        return Provisioner.of(provisioner);
    }
}
