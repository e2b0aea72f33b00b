package io.bucketwright.buckets.orphans;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.Map;

/** The ObjectBucket of the claim team/mine. */
final class OrphanedBucket {

    static final String NAME = "obc-team-mine";

    private OrphanedBucket() {}

    static ObjectBucket of(String claimUid, String... finalizers) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName(NAME)
                .withFinalizers(finalizers)
                .build());
        bucket.setSpec(ObjectBucketSpec.EMPTY
                .with("intent", Map.of("version", 1, "provisioner", "test.io/bucket"))
                .with(
                        "claimRef",
                        new ObjectReferenceBuilder()
                                .withNamespace("team")
                                .withName("mine")
                                .withUid(claimUid)
                                .build()));
        return bucket;
    }
}
