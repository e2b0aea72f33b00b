package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The administrator's terms for new buckets. What is copied to a Bucket cannot be changed behind its back. */
@Group(CosiNames.GROUP)
@Plural("bucketclasses")
@Version(CosiNames.VERSION)
@ShortNames("bc")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Provisioner", jsonPath = ".provisioner")
@AdditionalPrinterColumn(name = "Protocol", jsonPath = ".protocol")
@AdditionalPrinterColumn(
        name = "Default",
        jsonPath = ".isDefaultBucketClass",
        type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Release-Policy", jsonPath = ".releasePolicy")
@ValidationRule(
        value = "self.provisioner == oldSelf.provisioner",
        message = "provisioner cannot be changed; create a new BucketClass instead")
@ValidationRule(
        value = "self.protocol.lowerAscii() == oldSelf.protocol.lowerAscii()",
        message = "protocol cannot be changed; create a new BucketClass instead")
@ValidationRule(
        value =
                "has(self.parameters) == has(oldSelf.parameters) && (!has(self.parameters) || self.parameters == oldSelf.parameters)",
        message = "parameters cannot be changed; create a new BucketClass instead")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class BucketClass extends CustomResource<Void, Void> {
    @JsonPropertyDescription("The provisioner that creates the buckets: <namespace>/<name>.")
    @Required
    @Pattern(Provisioner.PATTERN)
    @Size(max = 317)
    @EmptyIfAbsent
    private String provisioner = "";

    private boolean isDefaultBucketClass;

    @JsonPropertyDescription(
            "The protocol of the buckets: s3, gcs or azureBlob. A store with two protocols needs two classes.")
    @Required
    @Pattern(Protocol.PATTERN)
    @EmptyIfAbsent
    private String protocol = "";

    @JsonPropertyDescription("Anonymous access: private, ro, rw or wo.")
    @Default("private")
    @Pattern(AnonymousAccessMode.PATTERN)
    @EmptyIfAbsent
    private String anonymousAccessMode = "";

    @JsonPropertyDescription(
            "The namespaces that may request the buckets, in addition to the namespace of each BucketRequest.")
    @Size(max = 999)
    @EmptyIfAbsent
    private List<PermittedNamespace> additionalPermittedNamespaces = List.of();

    @JsonPropertyDescription(
            "What happens to a bucket when its last BucketRequest is deleted: Retain, or Delete with all content.")
    @Default("Retain")
    @Pattern(ReleasePolicy.PATTERN)
    @EmptyIfAbsent
    private String releasePolicy = "";

    @JsonPropertyDescription("Parameters of each bucket, passed to the provisioner.")
    @Size(max = 512)
    @EmptyIfAbsent
    private Map<String, String> parameters = Map.of();

    public String getProvisioner() {
        return provisioner;
    }

    public void setProvisioner(String value) {
        provisioner = value;
    }

    @JsonProperty("isDefaultBucketClass")
    @JsonPropertyDescription("Whether this is the default class for BucketRequests of this protocol without a class.")
    public boolean isDefaultBucketClass() {
        return isDefaultBucketClass;
    }

    public void setIsDefaultBucketClass(boolean value) {
        isDefaultBucketClass = value;
    }

    public String getProtocol() {
        return protocol;
    }

    public void setProtocol(String value) {
        protocol = value;
    }

    public String getAnonymousAccessMode() {
        return anonymousAccessMode;
    }

    public void setAnonymousAccessMode(String value) {
        anonymousAccessMode = value;
    }

    public List<PermittedNamespace> getAdditionalPermittedNamespaces() {
        return additionalPermittedNamespaces;
    }

    public void setAdditionalPermittedNamespaces(List<PermittedNamespace> value) {
        additionalPermittedNamespaces = value;
    }

    public String getReleasePolicy() {
        return releasePolicy;
    }

    public void setReleasePolicy(String value) {
        releasePolicy = value;
    }

    public Map<String, String> getParameters() {
        return parameters;
    }

    public void setParameters(Map<String, String> value) {
        parameters = value;
    }

    /** The protocol; the schema refuses any other text. */
    public Optional<Protocol> offeredProtocol() {
        return Protocol.of(protocol);
    }

    /** The provisioner, if the text is valid. */
    public Optional<Provisioner> servedBy() {
        return Provisioner.of(provisioner);
    }
}
