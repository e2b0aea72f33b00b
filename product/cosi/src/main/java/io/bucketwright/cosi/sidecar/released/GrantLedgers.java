package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.BucketGrants;
import io.bucketwright.cosi.core.GrantingBucket;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grantee;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ledgers of Buckets, read once for each version, and what they tell about the ids of the driver. */
final class GrantLedgers {

    private static final int SLOTS = 256;

    private record Entry(String text, BucketGrants grants) {}

    private final AtomicReferenceArray<@Nullable Entry> read = new AtomicReferenceArray<>(SLOTS);
    private volatile boolean names;
    private volatile boolean otherIds;

    /** Whether all ids of accounts that were seen so far are their names. */
    boolean namesAreIds() {
        return names && !otherIds;
    }

    void learn(ReleasedBucket bucket) {
        grants(bucket).ledger().grants().stream()
                .map(Grant::account)
                .filter(account -> !account.id().isEmpty())
                .forEach(account -> {
                    if (account.id().equals(account.name())) {
                        names = true;
                    } else {
                        otherIds = true;
                    }
                });
    }

    Stream<Grantee> grantees(ReleasedBucket bucket) {
        return grants(bucket).ledger().grants().stream().map(Grant::grantee).distinct();
    }

    GrantingBucket granting(ReleasedBucket bucket) {
        return new GrantingBucket(
                bucket,
                bucket.status().bucketID(),
                bucket.isRestored(),
                Arrays.stream(Metadata.annotation(bucket, ReleasedNames.DELETED_ACCOUNTS)
                                .split(",", -1))
                        .map(String::strip)
                        .collect(Collectors.toUnmodifiableSet()),
                grants(bucket));
    }

    private BucketGrants grants(ReleasedBucket bucket) {
        String text = Metadata.annotation(bucket, ReleasedNames.GRANTS);
        if (text.isEmpty()) {
            return BucketGrants.of(text);
        }
        int slot = Math.floorMod(bucket.getMetadata().getUid().hashCode(), SLOTS);
        @Nullable Entry known = read.get(slot);
        if (known != null && known.text().equals(text)) {
            return known.grants();
        }
        BucketGrants grants = BucketGrants.of(text);
        read.set(slot, new Entry(text, grants));
        return grants;
    }
}
