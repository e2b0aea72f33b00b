package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** The bucket to access, the account, and the name of the Secret with the credentials. */
@ValidationRule(
        value =
                "!has(self.serviceAccountName) || self.serviceAccountName == '' || !has(self.accessSecretName) || self.accessSecretName == ''",
        message = "serviceAccountName and accessSecretName cannot both be set")
@ValidationRule(
        value =
                "(has(self.bucketRequestName) && self.bucketRequestName != '') || (has(self.bucketInstance) && self.bucketInstance != '')",
        message = "bucketRequestName or bucketInstance must be set")
@ValidationRule(
        value = "self.bucketAccessClassName == oldSelf.bucketAccessClassName",
        message = "bucketAccessClassName cannot be changed; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.serviceAccountName) || oldSelf.serviceAccountName == '' || (has(self.serviceAccountName) && self.serviceAccountName == oldSelf.serviceAccountName)",
        message = "serviceAccountName cannot be changed once it is set; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.accessSecretName) || oldSelf.accessSecretName == '' || (has(self.accessSecretName) && self.accessSecretName == oldSelf.accessSecretName)",
        message = "accessSecretName cannot be changed once it is set; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketInstance) || oldSelf.bucketInstance == '' || (has(self.bucketInstance) && self.bucketInstance == oldSelf.bucketInstance)",
        message = "bucketInstance cannot be changed once it is set; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketRequestName) || oldSelf.bucketRequestName == '' || (has(self.bucketRequestName) && self.bucketRequestName == oldSelf.bucketRequestName)",
        message = "bucketRequestName cannot be changed once it is set; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.protocol) || oldSelf.protocol == '' || (has(self.protocol) && self.protocol == oldSelf.protocol)",
        message = "protocol cannot be changed once it is set; create a new BucketAccessRequest instead")
@ValidationRule(
        value =
                "!has(oldSelf.bucketAccessName) || oldSelf.bucketAccessName == '' || (has(self.bucketAccessName) && self.bucketAccessName == oldSelf.bucketAccessName)",
        message = "bucketAccessName cannot be changed once it is set; create a new BucketAccessRequest instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketAccessRequestSpec(
        @JsonPropertyDescription(
                "A ServiceAccount of this namespace, for stores that support them. Not together with accessSecretName.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String serviceAccountName,

        @JsonPropertyDescription(
                "The name of the Secret to create with the credentials. Not together with serviceAccountName.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String accessSecretName,

        @JsonPropertyDescription("The Bucket; a BucketRequest of this namespace must name it too.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketInstance,

        @JsonPropertyDescription("The BucketRequest of this namespace whose bucket is accessed.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketRequestName,

        @JsonPropertyDescription("The protocol of the application; if set, it must be the Bucket's.")
        @Pattern("^(s3|gcs|azureBlob|azureblob)?$")
        @EmptyIfAbsent
        String protocol,

        @JsonPropertyDescription("The BucketAccessClass of the access.")
        @Required
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(min = 1, max = 253)
        @EmptyIfAbsent
        String bucketAccessClassName,

        @JsonPropertyDescription("The BucketAccess of this request. Set by the controller.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketAccessName) {}
