package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
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

/** The administrator's terms for new buckets. Its fields are at the top level. */
@Group(ReleasedNames.GROUP)
@Kind("BucketClass")
@Singular("bucketclass")
@Plural("bucketclasses")
@Version(ReleasedNames.VERSION)
@ShortNames("bclass")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Driver", jsonPath = ".driverName")
@AdditionalPrinterColumn(name = "Policy", jsonPath = ".deletionPolicy")
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public class ReleasedBucketClass extends CustomResource<Void, Void> {
    @JsonPropertyDescription("The driver, compared without regard to case.")
    @Required
    @EmptyIfAbsent
    private String driverName = "";

    @JsonPropertyDescription(
            "What happens to a bucket when its claim is deleted: Retain or Delete. The driver decides about"
                    + " objects: Bucketwright's deletes them only with onNotEmpty: purge.")
    @Required
    @Default("Retain")
    @EmptyIfAbsent
    private String deletionPolicy = "";

    @JsonPropertyDescription("Parameters of each bucket, for the driver.")
    @EmptyIfAbsent
    private Map<String, String> parameters = Map.of();

    public String getDriverName() {
        return driverName;
    }

    public void setDriverName(String value) {
        driverName = value;
    }

    public String getDeletionPolicy() {
        return deletionPolicy;
    }

    public void setDeletionPolicy(String value) {
        deletionPolicy = value;
    }

    public Map<String, String> getParameters() {
        return parameters;
    }

    public void setParameters(Map<String, String> value) {
        parameters = value;
    }
}
