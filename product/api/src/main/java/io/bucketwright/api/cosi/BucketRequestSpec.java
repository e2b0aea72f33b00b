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

/** What a user asks for, and the name of the Bucket that answers. */
@ValidationRule(
        value = "self.protocol.lowerAscii() == oldSelf.protocol.lowerAscii()",
        message = "protocol cannot be changed; create a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketPrefix) || oldSelf.bucketPrefix == '' || (has(self.bucketPrefix) && self.bucketPrefix == oldSelf.bucketPrefix)",
        message = "bucketPrefix cannot be changed once it is set; create a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketClassName) || oldSelf.bucketClassName == '' || (has(self.bucketClassName) && self.bucketClassName == oldSelf.bucketClassName)",
        message = "bucketClassName cannot be changed once it is set; create a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.secretName) || oldSelf.secretName == '' || (has(self.secretName) && self.secretName == oldSelf.secretName)",
        message = "secretName cannot be changed once it is set; create a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketInstanceName) || oldSelf.bucketInstanceName == '' || (has(self.bucketInstanceName) && self.bucketInstanceName == oldSelf.bucketInstanceName)",
        message = "bucketInstanceName cannot be changed once it is set; create a new BucketRequest instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketRequestSpec(
        @JsonPropertyDescription("The protocol of the application: s3, gcs or azureBlob.")
        @Required
        @Pattern(Protocol.PATTERN)
        @EmptyIfAbsent
        String protocol,

        @JsonPropertyDescription("Prefix of the bucket's generated name in the store. Ignored for an existing Bucket.")
        @Pattern("^([a-zA-Z0-9][a-zA-Z0-9-]*)?$")
        @Size(max = 27)
        @EmptyIfAbsent
        String bucketPrefix,

        @JsonPropertyDescription("The BucketClass for a new bucket; if absent, the default one for the protocol.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketClassName,

        @JsonPropertyDescription(
                "The default name of the Secret with the credentials, for BucketAccessRequests without accessSecretName.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String secretName,

        @JsonPropertyDescription("The Bucket. Set by the user for an existing Bucket, otherwise by the controller.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketInstanceName) {

    /** The protocol; the schema refuses any other text. */
    public Optional<Protocol> wantedProtocol() {
        return Protocol.of(protocol);
    }
}
