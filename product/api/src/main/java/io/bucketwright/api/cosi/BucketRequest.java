package io.bucketwright.api.cosi;

import io.bucketwright.api.cosi.status.BucketRequestPhase;
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

/** A user's request for a new or existing bucket. */
@Group(CosiNames.GROUP)
@Plural("bucketrequests")
@Version(CosiNames.VERSION)
@ShortNames("br")
@Categories("cosi")
@AdditionalPrinterColumn(name = "Protocol", jsonPath = ".spec.protocol")
@AdditionalPrinterColumn(name = "Bucket-Class", jsonPath = ".spec.bucketClassName")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.bucketInstanceName")
public class BucketRequest extends CosiResource<BucketRequestSpec> implements Namespaced {

    /** The phase; Creating if nobody has written a status. */
    public BucketRequestPhase phase() {
        return TextEnum.find(BucketRequestPhase.values(), status().phase()).orElse(BucketRequestPhase.CREATING);
    }

    /** The default shows a new object as Creating without a write, and not yet observed. */
    @Override
    @Default("{\"phase\": \"Creating\", \"observedGeneration\": 0}")
    public @Nullable CosiStatus getStatus() {
        return super.getStatus();
    }
}
