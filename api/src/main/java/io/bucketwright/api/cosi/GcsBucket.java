package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** A bucket with protocol Google Cloud Storage. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GcsBucket(
        @JsonPropertyDescription("The bucket's name in the store.") @Size(max = 255)
        String bucketName,

        @JsonPropertyDescription("The name of the account's key.") @Size(max = 255)
        String privateKeyName,

        @JsonPropertyDescription("The project of the bucket. Set by the sidecar when the bucket exists.")
        @Size(max = 255)
        String projectId,

        @JsonPropertyDescription("The store's service account for the bucket.") @Size(max = 255)
        String serviceAccount) {
    public GcsBucket {
        bucketName = Absent.text(bucketName);
        privateKeyName = Absent.text(privateKeyName);
        projectId = Absent.text(projectId);
        serviceAccount = Absent.text(serviceAccount);
    }
}
