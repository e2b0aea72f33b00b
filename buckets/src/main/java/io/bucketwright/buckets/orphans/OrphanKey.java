package io.bucketwright.buckets.orphans;

import io.bucketwright.runtime.ObjectKey;

/** What the orphan controller looks at. */
public sealed interface OrphanKey {

    ObjectKey object();

    record Bucket(ObjectKey object) implements OrphanKey {}

    record Claim(ObjectKey object) implements OrphanKey {}
}
