package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Optional;

/** What a user asks for, and the name of the Bucket that answers. */
@ValidationRule(
        value = "self.protocol.lowerAscii() == oldSelf.protocol.lowerAscii()",
        message = "protocol cannot be changed; make a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketPrefix) || oldSelf.bucketPrefix == '' || (has(self.bucketPrefix) && self.bucketPrefix == oldSelf.bucketPrefix)",
        message = "bucketPrefix cannot be changed once it is set; make a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketClassName) || oldSelf.bucketClassName == '' || (has(self.bucketClassName) && self.bucketClassName == oldSelf.bucketClassName)",
        message = "bucketClassName cannot be changed once it is set; make a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.secretName) || oldSelf.secretName == '' || (has(self.secretName) && self.secretName == oldSelf.secretName)",
        message = "secretName cannot be changed once it is set; make a new BucketRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketInstanceName) || oldSelf.bucketInstanceName == '' || (has(self.bucketInstanceName) && self.bucketInstanceName == oldSelf.bucketInstanceName)",
        message = "bucketInstanceName cannot be changed once it is set; make a new BucketRequest instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketRequestSpec(
        @JsonPropertyDescription("The protocol the application speaks: s3, gcs or azureBlob.")
        @Required
        @Pattern(Protocol.PATTERN)
        String protocol,

        @JsonPropertyDescription(
                "The beginning of the bucket's name in the store; the rest is made up. Ignored for a Bucket that exists.")
        @Pattern("^([a-zA-Z0-9][a-zA-Z0-9-]*)?$")
        @Size(max = 27)
        String bucketPrefix,

        @JsonPropertyDescription("The BucketClass for a new bucket; if absent, the default one for the protocol.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketClassName,

        @JsonPropertyDescription("The name of the Secret with the credentials, for access requests that name none.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String secretName,

        @JsonPropertyDescription(
                "The Bucket. Set by the user for one that exists, otherwise filled in by the controller.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketInstanceName) {
    public BucketRequestSpec {
        protocol = Absent.text(protocol);
        bucketPrefix = Absent.text(bucketPrefix);
        bucketClassName = Absent.text(bucketClassName);
        secretName = Absent.text(secretName);
        bucketInstanceName = Absent.text(bucketInstanceName);
    }

    /** Which of the three; the schema refuses any other word. */
    public Optional<Protocol> wantedProtocol() {
        return Protocol.of(protocol);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.protocol = protocol;
        builder.bucketPrefix = bucketPrefix;
        builder.bucketClassName = bucketClassName;
        builder.secretName = secretName;
        builder.bucketInstanceName = bucketInstanceName;
        return builder;
    }

    /** Collects the fields; what is not set stays absent. */
    public static final class Builder {
        private String protocol = "";
        private String bucketPrefix = "";
        private String bucketClassName = "";
        private String secretName = "";
        private String bucketInstanceName = "";

        private Builder() {}

        public Builder protocol(String value) {
            protocol = value;
            return this;
        }

        public Builder bucketPrefix(String value) {
            bucketPrefix = value;
            return this;
        }

        public Builder bucketClassName(String value) {
            bucketClassName = value;
            return this;
        }

        public Builder secretName(String value) {
            secretName = value;
            return this;
        }

        public Builder bucketInstanceName(String value) {
            bucketInstanceName = value;
            return this;
        }

        public BucketRequestSpec build() {
            return new BucketRequestSpec(protocol, bucketPrefix, bucketClassName, secretName, bucketInstanceName);
        }
    }
}
