package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which bucket, which class, and where the credentials go. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedAccessSpec(
        @JsonPropertyDescription("The BucketClaim in the same namespace.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        String bucketClaimName,

        @JsonPropertyDescription("The protocol of the application: S3, Azure or GCP.")
        String protocol,

        @JsonPropertyDescription("The BucketAccessClass.") @Required @JsonInclude(JsonInclude.Include.ALWAYS)
        String bucketAccessClassName,

        @JsonPropertyDescription("The Secret that is created in the same namespace.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        String credentialsSecretName,

        @JsonPropertyDescription("The ServiceAccount that gets access, with authenticationType IAM.")
        String serviceAccountName,

        @OtherFields Map<String, @Nullable Object> others) {
    static final ReleasedAccessSpec NONE = new ReleasedAccessSpec("", "", "", "", "");

    /** A spec as Bucketwright writes it: without fields that are empty. */
    public ReleasedAccessSpec(
            String bucketClaimName,
            String protocol,
            String bucketAccessClassName,
            String credentialsSecretName,
            String serviceAccountName) {
        this(bucketClaimName, protocol, bucketAccessClassName, credentialsSecretName, serviceAccountName, Map.of());
    }

    @JsonCreator
    static ReleasedAccessSpec read(
            @JsonProperty("bucketClaimName") @Nullable String bucketClaimName,
            @JsonProperty("protocol") @Nullable String protocol,
            @JsonProperty("bucketAccessClassName") @Nullable String bucketAccessClassName,
            @JsonProperty("credentialsSecretName") @Nullable String credentialsSecretName,
            @JsonProperty("serviceAccountName") @Nullable String serviceAccountName,
            @JsonAnySetter @Nullable Map<String, @Nullable Object> unknown) {
        ReadFields fields = new ReadFields(unknown);
        return new ReleasedAccessSpec(
                ReadFields.required(bucketClaimName),
                fields.text("protocol", protocol),
                ReadFields.required(bucketAccessClassName),
                ReadFields.required(credentialsSecretName),
                fields.text("serviceAccountName", serviceAccountName),
                fields.others());
    }
}
