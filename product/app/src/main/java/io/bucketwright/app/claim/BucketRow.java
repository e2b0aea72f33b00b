package io.bucketwright.app.claim;

import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One row of the list of buckets.
 *
 * @param tag Owned, Adopted, Released, Untagged or Unreadable
 * @param cluster the id of the cluster in the ownership tags; empty if there is none
 * @param claim namespace and name of the claim in the ownership tags; a released bucket has only the namespace
 * @param claimUid the uid of that claim
 * @param created empty if the store does not tell
 * @param usedBy what in this cluster uses the bucket
 */
record BucketRow(
        String bucket,
        String tag,
        String cluster,
        String claim,
        String claimUid,
        String created,
        boolean thisCluster,
        List<String> usedBy) {

    static BucketRow of(ListedBucket bucket, String thisCluster, List<String> usedBy) {
        OwnershipTags tags = bucket.tags();
        Optional<BucketOwner> owner =
                tags instanceof OwnershipTags.Released released ? Optional.of(released.owner()) : tags.currentOwner();
        ClaimIdentity claim = tags.claimOrNone();
        return new BucketRow(
                bucket.name(),
                tags.getClass().getSimpleName(),
                owner.map(BucketOwner::clusterId).orElse(""),
                claim.name().isEmpty() ? claim.namespace() : claim.namespace() + "/" + claim.name(),
                owner.map(BucketOwner::uid).orElse(""),
                bucket.created().map(Instant::toString).orElse(""),
                owner.map(BucketOwner::clusterId).filter(thisCluster::equals).isPresent(),
                usedBy);
    }

    /** A table with a header. */
    static List<String> table(List<BucketRow> rows, Instant now) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.of("BUCKET", "TAG", "CLUSTER", "CLAIM", "AGE", "USED BY"));
        rows.forEach(row -> cells.add(row.cells(now)));
        return TextTable.of(cells);
    }

    private List<String> cells(Instant now) {
        return List.of(
                TextTable.cell(bucket),
                tag,
                thisCluster ? "this" : TextTable.cell(cluster),
                TextTable.cell(claim),
                ClaimText.age(created, now),
                TextTable.cell(String.join(", ", usedBy)));
    }
}
