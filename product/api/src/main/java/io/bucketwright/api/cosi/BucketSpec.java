package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
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

/** A bucket: its address, its provisioner, who may use it and its release policy. */
@ValidationRule(
        value = "self.provisioner == oldSelf.provisioner",
        message = "provisioner cannot be changed; create a new Bucket instead")
@ValidationRule(
        value =
                "has(self.parameters) == has(oldSelf.parameters) && (!has(self.parameters) || self.parameters == oldSelf.parameters)",
        message = "parameters cannot be changed; create a new Bucket instead")
@ValidationRule(
        value =
                "has(self.bucketRequest) == has(oldSelf.bucketRequest) && (!has(self.bucketRequest) || self.bucketRequest == oldSelf.bucketRequest)",
        message = "bucketRequest cannot be changed; create a new Bucket instead")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketSpec(
        @JsonPropertyDescription("The provisioner that serves this Bucket: <namespace>/<name>.")
        @Required
        @Pattern(Provisioner.PATTERN)
        @Size(max = 317)
        @EmptyIfAbsent
        String provisioner,

        @JsonPropertyDescription("What happens to the bucket when its last BucketRequest is deleted: Retain or Delete.")
        @Default("Retain")
        @Pattern(ReleasePolicy.PATTERN)
        @EmptyIfAbsent
        String releasePolicy,

        @JsonPropertyDescription("Anonymous access: private, ro, rw or wo.")
        @Default("private")
        @Pattern(AnonymousAccessMode.PATTERN)
        @EmptyIfAbsent
        String anonymousAccessMode,

        @JsonPropertyDescription("The BucketClass it was created from; absent if an administrator created it.")
        @Pattern(CosiNames.NAME_OR_NONE)
        @Size(max = 253)
        @EmptyIfAbsent
        String bucketClassName,

        @JsonPropertyDescription(
                "The granted accesses, each as <BucketAccess>:<namespace>/<BucketRequest>. Set by the controller.")
        @Size(max = 10000)
        @EmptyIfAbsent
        List<String> bindings,

        @JsonPropertyDescription("The namespaces that may request this Bucket.") @Size(max = 1000) @EmptyIfAbsent
        List<PermittedNamespace> permittedNamespaces,

        @JsonPropertyDescription("Protocol, address and name of the bucket.") @Required
        BucketProtocol protocol,

        @JsonPropertyDescription("The parameters of the BucketClass.") @Size(max = 512) @EmptyIfAbsent
        Map<String, String> parameters,

        @JsonPropertyDescription(
                "The BucketRequest this Bucket was created for. Absent if an administrator created it; then the controller never deletes it.")
        @Nullable
        BucketRequestRef bucketRequest) {
    public BucketSpec {
        protocol = Objects.requireNonNullElse(protocol, BucketProtocol.NONE);
    }

    /** The provisioner, if the text is valid. */
    public Optional<Provisioner> servedBy() {
        return Provisioner.of(provisioner);
    }

    public ReleasePolicy onRelease() {
        return ReleasePolicy.of(releasePolicy);
    }

    /** Private for an unknown text: never opens a bucket by mistake. */
    public AnonymousAccessMode anonymousAccess() {
        return AnonymousAccessMode.of(anonymousAccessMode).orElse(AnonymousAccessMode.PRIVATE);
    }

    /** The request it was created for; empty for a Bucket that an administrator created. */
    public Optional<BucketRequestRef> creator() {
        return Optional.ofNullable(bucketRequest);
    }
}
