package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Protocol, address and name of a bucket. The signature determines which of the three is set. */
@ValidationRule(
        value = "self.protocolSignature.lowerAscii() == oldSelf.protocolSignature.lowerAscii()",
        message = "protocolSignature cannot be changed; create a new Bucket instead")
@ValidationRule(
        value =
                "!has(oldSelf.s3) || !has(oldSelf.s3.bucketName) || (has(self.s3) && has(self.s3.bucketName) && self.s3.bucketName == oldSelf.s3.bucketName)",
        message = "s3.bucketName cannot be changed once it is set; create a new Bucket instead")
@ValidationRule(
        value =
                "!has(oldSelf.gcs) || !has(oldSelf.gcs.bucketName) || (has(self.gcs) && has(self.gcs.bucketName) && self.gcs.bucketName == oldSelf.gcs.bucketName)",
        message = "gcs.bucketName cannot be changed once it is set; create a new Bucket instead")
@ValidationRule(
        value =
                "!has(oldSelf.azureBlob) || !has(oldSelf.azureBlob.containerName) || (has(self.azureBlob) && has(self.azureBlob.containerName) && self.azureBlob.containerName == oldSelf.azureBlob.containerName)",
        message = "azureBlob.containerName cannot be changed once it is set; create a new Bucket instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketProtocol(
        @JsonPropertyDescription("The protocol of this bucket: s3, gcs or azureBlob.")
        @Required
        @Pattern(Protocol.PATTERN)
        @EmptyIfAbsent
        String protocolSignature,

        @JsonPropertyDescription("Set if the protocol is azureBlob.") @Nullable
        AzureContainer azureBlob,

        @JsonPropertyDescription("Set if the protocol is s3.") @Nullable
        S3Bucket s3,

        @JsonPropertyDescription("Set if the protocol is gcs.") @Nullable
        GcsBucket gcs) {
    /** Of a Bucket without one, which the schema refuses. */
    static final BucketProtocol NONE = new BucketProtocol("", null, null, null);

    /** A bucket with a name that does not exist in the store yet. */
    public static BucketProtocol named(Protocol protocol, String bucketName) {
        return switch (protocol) {
            case S3 -> new BucketProtocol(protocol.text(), null, new S3Bucket("", bucketName, "", ""), null);
            case GCS -> new BucketProtocol(protocol.text(), null, null, new GcsBucket(bucketName, "", "", ""));
            case AZURE_BLOB -> new BucketProtocol(protocol.text(), new AzureContainer(bucketName, ""), null, null);
        };
    }

    /** The protocol; the schema refuses any other text. */
    public Optional<Protocol> protocol() {
        return Protocol.of(protocolSignature);
    }

    /** The bucket's name in the store; empty if nobody has chosen one. */
    public String bucketName() {
        return switch (protocol().orElse(null)) {
            case S3 -> s3 == null ? "" : s3.bucketName();
            case GCS -> gcs == null ? "" : gcs.bucketName();
            case AZURE_BLOB -> azureBlob == null ? "" : azureBlob.containerName();
            case null -> "";
        };
    }

    /** Whether an administrator or the sidecar has set the address. */
    public boolean hasAddress() {
        return switch (protocol().orElse(null)) {
            case S3 -> s3 != null && !s3.endpoint().isEmpty();
            case GCS -> gcs != null && !gcs.projectId().isEmpty();
            case AZURE_BLOB -> azureBlob != null && !azureBlob.storageAccount().isEmpty();
            case null -> false;
        };
    }

    /** A container of Azure Blob storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AzureContainer(
            @JsonPropertyDescription("The container's name in the store.") @Size(max = 255) @EmptyIfAbsent
            String containerName,

            @JsonPropertyDescription(
                    "The storage account of the container. Set by the sidecar when the container exists.")
            @Size(max = 255)
            @EmptyIfAbsent
            String storageAccount) {}

    /** A bucket with protocol S3. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record S3Bucket(
            @JsonPropertyDescription("The URL of the store. Set by the sidecar when the bucket exists.")
            @Size(max = 2048)
            @EmptyIfAbsent
            String endpoint,

            @JsonPropertyDescription("The bucket's name in the store.") @Size(max = 255) @EmptyIfAbsent
            String bucketName,

            @JsonPropertyDescription("The region of the store.") @Size(max = 255) @EmptyIfAbsent
            String region,

            @JsonPropertyDescription("How requests are signed: s3v4 or s3v2.") @Size(max = 63) @EmptyIfAbsent
            String signatureVersion) {}

    /** A bucket with protocol Google Cloud Storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record GcsBucket(
            @JsonPropertyDescription("The bucket's name in the store.") @Size(max = 255) @EmptyIfAbsent
            String bucketName,

            @JsonPropertyDescription("The name of the account's key.") @Size(max = 255) @EmptyIfAbsent
            String privateKeyName,

            @JsonPropertyDescription("The project of the bucket. Set by the sidecar when the bucket exists.")
            @Size(max = 255)
            @EmptyIfAbsent
            String projectId,

            @JsonPropertyDescription("The store's service account for the bucket.") @Size(max = 255) @EmptyIfAbsent
            String serviceAccount) {}
}
