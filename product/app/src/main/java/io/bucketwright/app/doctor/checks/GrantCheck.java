package io.bucketwright.app.doctor.checks;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.store.grants.GrantLedger;
import io.bucketwright.store.grants.GrantLedgerCodec;
import io.bucketwright.store.grants.GrantLedgerCodec.UnreadableLedgerException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.stream.Collectors;

/** Credentials that may work although nobody is entitled to them, as the ledgers of buckets record it. */
record GrantCheck(ClusterObservation observed, Findings found) {

    /** The ledger of one object. */
    private interface Ledger {
        GrantLedger read() throws UnreadableLedgerException;
    }

    void examine() {
        observed.all(ObjectBucket.class).stream()
                .map(RecordedBucket::new)
                .filter(bucket -> bucket.findIntent().isPresent())
                .forEach(bucket -> examine(
                        bucket.object(),
                        "objectbucket/",
                        () -> bucket.readGrants().ledger()));
        observed.all(ReleasedBucket.class).stream()
                .forEach(bucket -> examine(
                        bucket,
                        "bucket/",
                        () -> GrantLedgerCodec.decode(Metadata.annotation(bucket, ObjectBucketNames.GRANTS))));
    }

    private void examine(HasMetadata object, String kind, Ledger ledger) {
        try {
            List<Grant> unconfirmed = ledger.read()
                    .in(State.UNCONFIRMED)
                    .filter(grant -> observed.since(grant.since().toString())
                            .filter(age -> age.compareTo(observed.scope().stuckAfter()) > 0)
                            .isPresent())
                    .toList();
            if (!unconfirmed.isEmpty()) {
                found.warning(
                        "GrantUnconfirmed",
                        FoundObject.of(object),
                        "It is not known whether these accounts have access: "
                                + unconfirmed.stream()
                                        .map(grant -> grant.account().revocationId() + " for " + grant.grantee())
                                        .collect(Collectors.joining(", "))
                                + ".",
                        "Find out why the store does not answer: the events of the object. `bucketwright bucket access "
                                + kind + object.getMetadata().getName() + "` shows all access.");
            }
        } catch (UnreadableLedgerException e) {
            found.warning(
                    "GrantsUnreadable",
                    FoundObject.of(object),
                    "The record " + ObjectBucketNames.GRANTS + " " + e.getMessage() + ".",
                    "Restore it from a backup of the object, or run the release that wrote it.");
        }
    }
}
