package io.bucketwright.api.cosi;

import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.api.text.TextEnum;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A bucket of a store. Cluster-scoped, so that tenants cannot change it. */
@Group(CosiNames.GROUP)
@Plural("buckets")
@Version(CosiNames.VERSION)
@Categories("cosi")
@AdditionalPrinterColumn(name = "Provisioner", jsonPath = ".spec.provisioner")
@AdditionalPrinterColumn(name = "Protocol", jsonPath = ".spec.protocol.protocolSignature")
@AdditionalPrinterColumn(name = "Release-Policy", jsonPath = ".spec.releasePolicy")
@AdditionalPrinterColumn(name = "Request-Namespace", jsonPath = ".spec.bucketRequest.namespace")
@AdditionalPrinterColumn(name = "Request", jsonPath = ".spec.bucketRequest.name")
public class Bucket extends CosiResource<BucketSpec> {

    /** The phase; Creating if nobody has written a status. */
    public BucketPhase phase() {
        return TextEnum.find(BucketPhase.values(), status().phase()).orElse(BucketPhase.CREATING);
    }

    /**
     * Whether the bucket exists in the store: the sidecar has recorded its id or its address, or an administrator created the
     * Bucket for a bucket that exists.
     */
    public boolean provisioned() {
        return !recordedId().isEmpty()
                || getSpec().protocol().hasAddress()
                || (existedBefore() && !getSpec().protocol().bucketName().isEmpty());
    }

    /** Whether an administrator created it, for a bucket that existed before. */
    public boolean existedBefore() {
        return getSpec().creator().isEmpty();
    }

    /** The id by which the driver finds the bucket: the one that it issued, or else the name. */
    public String bucketId() {
        String recorded = recordedId();
        return recorded.isEmpty() ? getSpec().protocol().bucketName() : recorded;
    }

    private String recordedId() {
        return Optional.ofNullable(getMetadata().getAnnotations())
                .orElse(Map.of())
                .getOrDefault(CosiNames.BUCKET_ID, "");
    }

    /** The default shows a new object as Creating without a write, and not yet observed. */
    @Override
    @Default("{\"phase\": \"Creating\", \"observedGeneration\": 0}")
    public @Nullable CosiStatus getStatus() {
        return super.getStatus();
    }
}
