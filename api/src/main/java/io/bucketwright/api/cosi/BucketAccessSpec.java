package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
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
        @JsonPropertyDescription("The BucketAccessRequest it was made for.") @Required @Size(min = 1, max = 253)
        String bucketAccessRequestName,

        @JsonPropertyDescription("The namespace of that request.") @Required @Size(min = 1, max = 63)
        String bucketAccessRequestNamespace,

        @JsonPropertyDescription("The uid of that request.") @Required @Size(min = 1, max = 63)
        String bucketAccessRequestUid,

        @JsonPropertyDescription("The BucketRequest through which the bucket is reached.") @Required
        BucketRequestRef bucketRequest,

        @JsonPropertyDescription(
                "The ServiceAccount of the request's namespace that gets access, if the request names one.")
        @Size(max = 253)
        String serviceAccountName,

        @JsonPropertyDescription(
                "The Secret with the credentials in the provisioner's namespace; if absent, ba- and the uid of this object.")
        @Size(max = 253)
        String accessSecretName,

        @JsonPropertyDescription("The copy of that Secret in the request's namespace.")
        @Required
        @Size(min = 1, max = 253)
        String applicationSecretName,

        @JsonPropertyDescription("The Bucket.") @Required @Size(min = 1, max = 253)
        String bucketName,

        @JsonPropertyDescription("The uid of the Bucket.") @Required @Size(min = 1, max = 63)
        String bucketUid,

        @JsonPropertyDescription("The provisioner that serves this access: <namespace>/<name>.")
        @Required
        @Pattern(Provisioner.PATTERN)
        @Size(max = 317)
        String provisioner,

        @JsonPropertyDescription("The protocol of the access: s3, gcs or azureBlob.")
        @Required
        @Pattern(Protocol.PATTERN)
        String protocol,

        @JsonPropertyDescription("What the account may and may not do.")
        PolicyActions policyActions,

        @JsonPropertyDescription("What the provisioner is told by the BucketAccessClass.") @Size(max = 512)
        Map<String, String> parameters) {
    public BucketAccessSpec {
        bucketAccessRequestName = Absent.text(bucketAccessRequestName);
        bucketAccessRequestNamespace = Absent.text(bucketAccessRequestNamespace);
        bucketAccessRequestUid = Absent.text(bucketAccessRequestUid);
        serviceAccountName = Absent.text(serviceAccountName);
        accessSecretName = Absent.text(accessSecretName);
        applicationSecretName = Absent.text(applicationSecretName);
        bucketName = Absent.text(bucketName);
        bucketUid = Absent.text(bucketUid);
        provisioner = Absent.text(provisioner);
        protocol = Absent.text(protocol);
        policyActions = Objects.requireNonNullElse(policyActions, PolicyActions.NONE);
        bucketRequest = Objects.requireNonNullElse(bucketRequest, BucketRequestRef.NONE);
        parameters = Absent.map(parameters);
    }

    /** The provisioner, if the text names one. */
    public Optional<Provisioner> servedBy() {
        return Provisioner.of(provisioner);
    }

    /** Which of the three; the schema refuses any other word. */
    public Optional<Protocol> grantedProtocol() {
        return Protocol.of(protocol);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.bucketAccessRequestName = bucketAccessRequestName;
        builder.bucketAccessRequestNamespace = bucketAccessRequestNamespace;
        builder.bucketAccessRequestUid = bucketAccessRequestUid;
        builder.bucketRequest = bucketRequest;
        builder.serviceAccountName = serviceAccountName;
        builder.accessSecretName = accessSecretName;
        builder.applicationSecretName = applicationSecretName;
        builder.bucketName = bucketName;
        builder.bucketUid = bucketUid;
        builder.provisioner = provisioner;
        builder.protocol = protocol;
        builder.policyActions = policyActions;
        builder.parameters = parameters;
        return builder;
    }

    /** Collects the fields; what is not set stays absent. */
    public static final class Builder {
        private String bucketAccessRequestName = "";
        private String bucketAccessRequestNamespace = "";
        private String bucketAccessRequestUid = "";
        private BucketRequestRef bucketRequest = BucketRequestRef.NONE;
        private String serviceAccountName = "";
        private String accessSecretName = "";
        private String applicationSecretName = "";
        private String bucketName = "";
        private String bucketUid = "";
        private String provisioner = "";
        private String protocol = "";
        private PolicyActions policyActions = PolicyActions.NONE;
        private Map<String, String> parameters = Map.of();

        private Builder() {}

        public Builder bucketAccessRequestName(String value) {
            bucketAccessRequestName = value;
            return this;
        }

        public Builder bucketAccessRequestNamespace(String value) {
            bucketAccessRequestNamespace = value;
            return this;
        }

        public Builder bucketAccessRequestUid(String value) {
            bucketAccessRequestUid = value;
            return this;
        }

        public Builder bucketRequest(BucketRequestRef value) {
            bucketRequest = value;
            return this;
        }

        public Builder serviceAccountName(String value) {
            serviceAccountName = value;
            return this;
        }

        public Builder accessSecretName(String value) {
            accessSecretName = value;
            return this;
        }

        public Builder applicationSecretName(String value) {
            applicationSecretName = value;
            return this;
        }

        public Builder bucketName(String value) {
            bucketName = value;
            return this;
        }

        public Builder bucketUid(String value) {
            bucketUid = value;
            return this;
        }

        public Builder provisioner(String value) {
            provisioner = value;
            return this;
        }

        public Builder protocol(String value) {
            protocol = value;
            return this;
        }

        public Builder policyActions(PolicyActions value) {
            policyActions = value;
            return this;
        }

        public Builder parameters(Map<String, String> value) {
            parameters = value;
            return this;
        }

        public BucketAccessSpec build() {
            return new BucketAccessSpec(
                    bucketAccessRequestName,
                    bucketAccessRequestNamespace,
                    bucketAccessRequestUid,
                    bucketRequest,
                    serviceAccountName,
                    accessSecretName,
                    applicationSecretName,
                    bucketName,
                    bucketUid,
                    provisioner,
                    protocol,
                    policyActions,
                    parameters);
        }
    }
}
