package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Which bucket a user wants to reach, as whom, and under which name the credentials are to come. */
@ValidationRule(
        value =
                "!has(self.serviceAccountName) || self.serviceAccountName == '' || !has(self.accessSecretName) || self.accessSecretName == ''",
        message = "serviceAccountName and accessSecretName cannot be set both")
@ValidationRule(
        value =
                "(has(self.bucketRequestName) && self.bucketRequestName != '') || (has(self.bucketInstance) && self.bucketInstance != '')",
        message = "bucketRequestName or bucketInstance must say which bucket")
@ValidationRule(
        value = "self.bucketAccessClassName == oldSelf.bucketAccessClassName",
        message = "bucketAccessClassName cannot be changed; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.serviceAccountName) || oldSelf.serviceAccountName == '' || (has(self.serviceAccountName) && self.serviceAccountName == oldSelf.serviceAccountName)",
        message = "serviceAccountName cannot be changed once it is set; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.accessSecretName) || oldSelf.accessSecretName == '' || (has(self.accessSecretName) && self.accessSecretName == oldSelf.accessSecretName)",
        message = "accessSecretName cannot be changed once it is set; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketInstance) || oldSelf.bucketInstance == '' || (has(self.bucketInstance) && self.bucketInstance == oldSelf.bucketInstance)",
        message = "bucketInstance cannot be changed once it is set; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketRequestName) || oldSelf.bucketRequestName == '' || (has(self.bucketRequestName) && self.bucketRequestName == oldSelf.bucketRequestName)",
        message = "bucketRequestName cannot be changed once it is set; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.protocol) || oldSelf.protocol == '' || (has(self.protocol) && self.protocol == oldSelf.protocol)",
        message = "protocol cannot be changed once it is set; make a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketAccessName) || oldSelf.bucketAccessName == '' || (has(self.bucketAccessName) && self.bucketAccessName == oldSelf.bucketAccessName)",
        message = "bucketAccessName cannot be changed once it is set; make a new BucketAccessRequest instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketAccessRequestSpec(
        @JsonPropertyDescription(
                "A ServiceAccount of this namespace, for stores that know those. Not together with accessSecretName.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String serviceAccountName,

        @JsonPropertyDescription(
                "The name of the Secret to be made with the credentials. Not together with serviceAccountName.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String accessSecretName,

        @JsonPropertyDescription("The Bucket, which a BucketRequest of this namespace must be bound to.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketInstance,

        @JsonPropertyDescription("The BucketRequest of this namespace that leads to the bucket.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketRequestName,

        @JsonPropertyDescription("The protocol the application speaks; if given, it must be the bucket's.")
        @Pattern("^(s3|gcs|azureBlob|azureblob)?$")
        String protocol,

        @JsonPropertyDescription("The BucketAccessClass: what the access allows.")
        @Required
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(min = 1, max = 253)
        String bucketAccessClassName,

        @JsonPropertyDescription("The BucketAccess that answers. Filled in by the controller.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketAccessName) {
    public BucketAccessRequestSpec {
        serviceAccountName = Absent.text(serviceAccountName);
        accessSecretName = Absent.text(accessSecretName);
        bucketInstance = Absent.text(bucketInstance);
        bucketRequestName = Absent.text(bucketRequestName);
        protocol = Absent.text(protocol);
        bucketAccessClassName = Absent.text(bucketAccessClassName);
        bucketAccessName = Absent.text(bucketAccessName);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.serviceAccountName = serviceAccountName;
        builder.accessSecretName = accessSecretName;
        builder.bucketInstance = bucketInstance;
        builder.bucketRequestName = bucketRequestName;
        builder.protocol = protocol;
        builder.bucketAccessClassName = bucketAccessClassName;
        builder.bucketAccessName = bucketAccessName;
        return builder;
    }

    /** Collects the fields; what is not set stays absent. */
    public static final class Builder {
        private String serviceAccountName = "";
        private String accessSecretName = "";
        private String bucketInstance = "";
        private String bucketRequestName = "";
        private String protocol = "";
        private String bucketAccessClassName = "";
        private String bucketAccessName = "";

        private Builder() {}

        public Builder serviceAccountName(String value) {
            serviceAccountName = value;
            return this;
        }

        public Builder accessSecretName(String value) {
            accessSecretName = value;
            return this;
        }

        public Builder bucketInstance(String value) {
            bucketInstance = value;
            return this;
        }

        public Builder bucketRequestName(String value) {
            bucketRequestName = value;
            return this;
        }

        public Builder protocol(String value) {
            protocol = value;
            return this;
        }

        public Builder bucketAccessClassName(String value) {
            bucketAccessClassName = value;
            return this;
        }

        public Builder bucketAccessName(String value) {
            bucketAccessName = value;
            return this;
        }

        public BucketAccessRequestSpec build() {
            return new BucketAccessRequestSpec(
                    serviceAccountName,
                    accessSecretName,
                    bucketInstance,
                    bucketRequestName,
                    protocol,
                    bucketAccessClassName,
                    bucketAccessName);
        }
    }
}
