package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Required;

/** Which bucket, which class, and where the credentials go. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedAccessSpec(
        @JsonPropertyDescription("The BucketClaim in the same namespace.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        String bucketClaimName,

        @JsonPropertyDescription("The protocol of the application: S3, Azure or GCP.") @EmptyIfAbsent
        String protocol,

        @JsonPropertyDescription("The BucketAccessClass.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        String bucketAccessClassName,

        @JsonPropertyDescription("The Secret that is created in the same namespace.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        String credentialsSecretName,

        @JsonPropertyDescription("The ServiceAccount that gets access, with authenticationType IAM.") @EmptyIfAbsent
        String serviceAccountName) {
    static final ReleasedAccessSpec NONE = new ReleasedAccessSpec("", "", "", "", "");
}
