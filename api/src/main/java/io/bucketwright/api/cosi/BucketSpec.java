package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A bucket: where it is, whose it is, and what becomes of it. */
@ValidationRule(
        value = "self.provisioner == oldSelf.provisioner",
        message = "provisioner cannot be changed; make a new Bucket instead")
@ValidationRule(
        value =
                "has(self.parameters) == has(oldSelf.parameters) && (!has(self.parameters) || self.parameters == oldSelf.parameters)",
        message = "parameters cannot be changed; make a new Bucket instead")
@ValidationRule(
        value =
                "has(self.bucketRequest) == has(oldSelf.bucketRequest) && (!has(self.bucketRequest) || self.bucketRequest == oldSelf.bucketRequest)",
        message = "bucketRequest cannot be changed; make a new Bucket instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketSpec(
        @JsonPropertyDescription("The provisioner that serves this Bucket: <namespace>/<name>.")
        @Required
        @Pattern(Provisioner.PATTERN)
        @Size(max = 317)
        String provisioner,

        @JsonPropertyDescription("What becomes of the bucket when nobody requests it any more: Retain or Delete.")
        @Default("Retain")
        @Pattern(ReleasePolicy.PATTERN)
        String releasePolicy,

        @JsonPropertyDescription("What somebody without credentials may do: private, ro, rw or wo.")
        @Default("private")
        @Pattern(AnonymousAccessMode.PATTERN)
        String anonymousAccessMode,

        @JsonPropertyDescription("The BucketClass it was made from, if it was.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        String bucketClassName,

        @JsonPropertyDescription(
                "Who has access, each as <BucketAccess>:<namespace>/<BucketRequest>. Set by the controller.")
        @Size(max = 10000)
        List<String> bindings,

        @JsonPropertyDescription("The namespaces that may request this Bucket.") @Size(max = 1000)
        List<PermittedNamespace> permittedNamespaces,

        @JsonPropertyDescription("How an application reaches the bucket.") @Required
        BucketProtocol protocol,

        @JsonPropertyDescription("What the provisioner was told by the BucketClass.") @Size(max = 512)
        Map<String, String> parameters,

        @JsonPropertyDescription(
                "The BucketRequest this Bucket was made for. Absent if an administrator made it: then it is never deleted for anybody.")
        @Nullable
        BucketRequestRef bucketRequest) {
    public BucketSpec {
        provisioner = Absent.text(provisioner);
        releasePolicy = Absent.text(releasePolicy);
        anonymousAccessMode = Absent.text(anonymousAccessMode);
        bucketClassName = Absent.text(bucketClassName);
        bindings = Absent.list(bindings);
        permittedNamespaces = Absent.list(permittedNamespaces);
        protocol = Objects.requireNonNullElse(protocol, BucketProtocol.NONE);
        parameters = Absent.map(parameters);
    }

    /** The provisioner, if the text names one. */
    public Optional<Provisioner> servedBy() {
        return Provisioner.of(provisioner);
    }

    public ReleasePolicy onRelease() {
        return ReleasePolicy.of(releasePolicy);
    }

    /** Private for a word that is none of ours: nothing is opened on a guess. */
    public AnonymousAccessMode anonymousAccess() {
        return AnonymousAccessMode.of(anonymousAccessMode).orElse(AnonymousAccessMode.PRIVATE);
    }

    /** The request it was made for; empty for a Bucket that an administrator made. */
    public Optional<BucketRequestRef> creator() {
        return Optional.ofNullable(bucketRequest);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.provisioner = provisioner;
        builder.releasePolicy = releasePolicy;
        builder.anonymousAccessMode = anonymousAccessMode;
        builder.bucketClassName = bucketClassName;
        builder.bindings = bindings;
        builder.permittedNamespaces = permittedNamespaces;
        builder.protocol = protocol;
        builder.parameters = parameters;
        builder.bucketRequest = bucketRequest;
        return builder;
    }

    /** Collects the fields; what is not set stays absent. */
    public static final class Builder {
        private String provisioner = "";
        private String releasePolicy = "";
        private String anonymousAccessMode = "";
        private String bucketClassName = "";
        private List<String> bindings = List.of();
        private List<PermittedNamespace> permittedNamespaces = List.of();
        private BucketProtocol protocol = BucketProtocol.NONE;
        private Map<String, String> parameters = Map.of();
        private @Nullable BucketRequestRef bucketRequest;

        private Builder() {}

        public Builder provisioner(String value) {
            provisioner = value;
            return this;
        }

        public Builder releasePolicy(String value) {
            releasePolicy = value;
            return this;
        }

        public Builder anonymousAccessMode(String value) {
            anonymousAccessMode = value;
            return this;
        }

        public Builder bucketClassName(String value) {
            bucketClassName = value;
            return this;
        }

        public Builder bindings(List<String> value) {
            bindings = value;
            return this;
        }

        public Builder permittedNamespaces(List<PermittedNamespace> value) {
            permittedNamespaces = value;
            return this;
        }

        public Builder protocol(BucketProtocol value) {
            protocol = value;
            return this;
        }

        public Builder parameters(Map<String, String> value) {
            parameters = value;
            return this;
        }

        public Builder bucketRequest(BucketRequestRef value) {
            bucketRequest = value;
            return this;
        }

        public BucketSpec build() {
            return new BucketSpec(
                    provisioner,
                    releasePolicy,
                    anonymousAccessMode,
                    bucketClassName,
                    bindings,
                    permittedNamespaces,
                    protocol,
                    parameters,
                    bucketRequest);
        }
    }
}
