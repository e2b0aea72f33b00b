package io.bucketwright.store.s3;

import io.bucketwright.store.BucketPage;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.http.ParallelRequests;
import io.bucketwright.store.s3.identity.BucketNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Lists buckets with their ownership tags. S3 returns the tags of one bucket at a time. */
record BucketListing(BucketSession.Factory sessions) {

    BucketPage list(StoreCall call, String from) {
        BucketNames names = sessions.identity().clients().list(call, from);
        List<Callable<Optional<ListedBucket>>> requests = new ArrayList<>();
        names.buckets().forEach(bucket -> requests.add(() -> read(call, bucket)));
        try (ParallelRequests parallel = new ParallelRequests(PageDeletion.PARALLEL)) {
            return new BucketPage(
                    parallel.send(requests).stream().flatMap(Optional::stream).toList(), names.next());
        }
    }

    Optional<ListedBucket> find(StoreCall call, BucketName bucket) {
        return tags(call, bucket).map(tags -> new ListedBucket(bucket.text(), tags, Optional.empty()));
    }

    /** Empty if the bucket was deleted meanwhile. */
    private Optional<ListedBucket> read(StoreCall call, BucketNames.Named bucket) {
        Optional<OwnershipTags> tags;
        try {
            tags = tags(call, new BucketName(bucket.name()));
        } catch (Invalid notOfAClaim) {
            tags = Optional.of(new OwnershipTags.Unreadable());
        }
        return tags.map(found -> new ListedBucket(bucket.name(), found, bucket.created()));
    }

    private Optional<OwnershipTags> tags(StoreCall call, BucketName bucket) {
        try {
            Optional<BucketSession> session = sessions.findUsable(call, bucket);
            return session.isEmpty()
                    ? Optional.of(new OwnershipTags.Unreadable())
                    : session.get().buckets().ownership();
        } catch (Denied | Taken ofAnotherAccountOrRegion) {
            return Optional.of(new OwnershipTags.Unreadable());
        }
    }
}
