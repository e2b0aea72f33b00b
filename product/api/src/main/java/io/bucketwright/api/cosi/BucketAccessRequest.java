package io.bucketwright.api.cosi;

import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.text.TextEnum;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A user's request for credentials to a bucket. */
@Group(CosiNames.GROUP)
@Plural("bucketaccessrequests")
@Version(CosiNames.VERSION)
@ShortNames("bar")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Bucket-Request", jsonPath = ".spec.bucketRequestName")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.bucketInstance")
@AdditionalPrinterColumn(name = "Access-Class", jsonPath = ".spec.bucketAccessClassName")
@AdditionalPrinterColumn(name = "Access", jsonPath = ".spec.bucketAccessName", priority = 1)
public class BucketAccessRequest extends CosiResource<BucketAccessRequestSpec> implements Namespaced {

    /** The phase; Pending if nobody has written a status. */
    public BucketAccessRequestPhase phase() {
        return TextEnum.find(BucketAccessRequestPhase.values(), status().phase())
                .orElse(BucketAccessRequestPhase.PENDING);
    }

    /** The default shows a new object as Pending without a write, and not yet observed. */
    @Override
    @Default("{\"phase\": \"Pending\", \"observedGeneration\": 0}")
    public @Nullable CosiStatus getStatus() {
        return super.getStatus();
    }
}
