package io.bucketwright.api.cosi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
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
import java.util.Map;
import java.util.Optional;

/** A class of accesses, defined by an administrator. */
@Group(CosiNames.GROUP)
@Plural("bucketaccessclasses")
@Version(CosiNames.VERSION)
@ShortNames("bac")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Provisioner", jsonPath = ".provisioner")
@AdditionalPrinterColumn(name = "Protocol", jsonPath = ".protocol")
@ValidationRule(
        value = "self.provisioner == oldSelf.provisioner",
        message = "provisioner cannot be changed; create a new BucketAccessClass instead")
@ValidationRule(
        value = "self.protocol.lowerAscii() == oldSelf.protocol.lowerAscii()",
        message = "protocol cannot be changed; create a new BucketAccessClass instead")
@ValidationRule(
        value =
                "has(self.parameters) == has(oldSelf.parameters) && (!has(self.parameters) || self.parameters == oldSelf.parameters)",
        message = "parameters cannot be changed; create a new BucketAccessClass instead")
@ValidationRule(
        value =
                "has(self.policyActions) == has(oldSelf.policyActions) && (!has(self.policyActions) || self.policyActions == oldSelf.policyActions)",
        message = "policyActions cannot be changed; create a new BucketAccessClass instead")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class BucketAccessClass extends CustomResource<Void, Void> {
    @JsonPropertyDescription("The provisioner that grants the access: <namespace>/<name>. It must be the Bucket's.")
    @Required
    @Pattern(Provisioner.PATTERN)
    @Size(max = 317)
    @EmptyIfAbsent
    private String provisioner = "";

    @JsonPropertyDescription("The protocol of the access: s3, gcs or azureBlob. It must be the Bucket's.")
    @Required
    @Pattern(Protocol.PATTERN)
    @EmptyIfAbsent
    private String protocol = "";

    @JsonPropertyDescription("The allowed and denied actions of the account, as the provisioner names them.")
    private PolicyActions policyActions = PolicyActions.NONE;

    @JsonPropertyDescription("Parameters of each access, passed to the provisioner.")
    @Size(max = 512)
    @EmptyIfAbsent
    private Map<String, String> parameters = Map.of();

    public String getProvisioner() {
        return provisioner;
    }

    public void setProvisioner(String value) {
        provisioner = value;
    }

    public String getProtocol() {
        return protocol;
    }

    public void setProtocol(String value) {
        protocol = value;
    }

    public PolicyActions getPolicyActions() {
        return policyActions;
    }

    public void setPolicyActions(PolicyActions value) {
        policyActions = value;
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
