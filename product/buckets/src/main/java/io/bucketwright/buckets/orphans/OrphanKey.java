package io.bucketwright.buckets.orphans;

import io.bucketwright.runtime.ObjectKey;

/** An object that the orphan controller checks. */
public sealed interface OrphanKey {

    ObjectKey object();

    record Bucket(ObjectKey object) implements OrphanKey {}

    record Claim(ObjectKey object) implements OrphanKey {}
}
