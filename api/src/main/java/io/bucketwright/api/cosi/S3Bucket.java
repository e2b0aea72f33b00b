package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** A bucket with protocol S3. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record S3Bucket(
        @JsonPropertyDescription("The URL of the store. Set by the sidecar when the bucket exists.") @Size(max = 2048)
        String endpoint,

        @JsonPropertyDescription("The bucket's name in the store.") @Size(max = 255)
        String bucketName,

        @JsonPropertyDescription("The region of the store.") @Size(max = 255)
        String region,

        @JsonPropertyDescription("How requests are signed: s3v4 or s3v2.") @Size(max = 63)
        String signatureVersion) {
    public S3Bucket {
        endpoint = Absent.text(endpoint);
        bucketName = Absent.text(bucketName);
        region = Absent.text(region);
        signatureVersion = Absent.text(signatureVersion);
    }
}
