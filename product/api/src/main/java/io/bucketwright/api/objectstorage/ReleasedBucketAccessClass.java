package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** The administrator's terms for new accesses. Its fields are at the top level. */
@Group(ReleasedNames.GROUP)
@Kind("BucketAccessClass")
@Singular("bucketaccessclass")
@Plural("bucketaccessclasses")
@Version(ReleasedNames.VERSION)
@ShortNames("baclass")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Driver", jsonPath = ".driverName")
@AdditionalPrinterColumn(name = "Authentication", jsonPath = ".authenticationType")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class ReleasedBucketAccessClass extends CustomResource<Void, Void> {
    @JsonPropertyDescription("The driver, compared without regard to case.")
    @Required
    @EmptyIfAbsent
    private String driverName = "";

    @JsonPropertyDescription("How applications authenticate: Key or IAM.")
    @Required
    @EmptyIfAbsent
    private String authenticationType = "";

    @JsonPropertyDescription("Parameters of each access, for the driver.")
    @EmptyIfAbsent
    private Map<String, String> parameters = Map.of();

    public String getDriverName() {
        return driverName;
    }

    public void setDriverName(String value) {
        driverName = value;
    }

    public String getAuthenticationType() {
        return authenticationType;
    }

    public void setAuthenticationType(String value) {
        authenticationType = value;
    }

    public Map<String, String> getParameters() {
        return parameters;
    }

    public void setParameters(Map<String, String> value) {
        parameters = value;
    }
}
