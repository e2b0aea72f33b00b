package io.bucketwright.api.objectstorage;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A user's request for credentials to the bucket of a claim. */
@Group(ReleasedNames.GROUP)
@Kind("BucketAccess")
@Singular("bucketaccess")
@Plural("bucketaccesses")
@Version(ReleasedNames.VERSION)
@ShortNames("baccess")
@Categories("cosi")
@AdditionalPrinterColumn(
        name = "Granted",
        jsonPath = ".status.accessGranted",
        type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Claim", jsonPath = ".spec.bucketClaimName")
@AdditionalPrinterColumn(name = "Class", jsonPath = ".spec.bucketAccessClassName")
@AdditionalPrinterColumn(name = "Secret", jsonPath = ".spec.credentialsSecretName")
@AdditionalPrinterColumn(name = "Account", jsonPath = ".status.accountID")
public class ReleasedBucketAccess extends CustomResource<ReleasedAccessSpec, ReleasedAccessStatus>
        implements Namespaced {

    /** The spec; an empty one if there is none, which the schema admits. */
    public ReleasedAccessSpec spec() {
        @Nullable ReleasedAccessSpec spec = getSpec();
        return spec == null ? ReleasedAccessSpec.NONE : spec;
    }

    /** The status; an empty one if nobody has written one. */
    public ReleasedAccessStatus status() {
        @Nullable ReleasedAccessStatus status = getStatus();
        return status == null ? ReleasedAccessStatus.NONE : status;
    }

    @Override
    public @Nullable ReleasedAccessSpec getSpec() {
        return super.getSpec();
    }

    @Override
    public @Nullable ReleasedAccessStatus getStatus() {
        return super.getStatus();
    }
}
