package io.bucketwright.store.s3;

import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.AppliedOptions;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import io.bucketwright.store.s3.identity.Principals;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Creates a bucket with ownership tags, or continues with one that already has them. The tags are part of the request that
 * creates the bucket. Some stores ignore tags in that request; there the bucket is tagged by a second request. A crash
 * between the two leaves an empty bucket without tags. If its name was generated, or it belongs to an account that was created
 * for this owner, nobody else can have created it and it is tagged later; otherwise it is {@link Taken} and an administrator
 * must decide.
 */
record BucketCreation(BucketSession.Factory sessions, Principals principals) {

    /** Some stores show a new bucket to other clients shortly before its tags. */
    private static final Duration TAGS_APPEAR_WITHIN = Duration.ofMillis(150);

    /** Where tags need requests of their own, another process may be sending them: an empty bucket is read so often. */
    private static final int READS_OF_EMPTY_BUCKET = 12;

    /** Returns the session in which the bucket was found or created. */
    BucketSession ensure(StoreCall call, ProvisionRequest request) {
        BucketName bucket = request.bucket();
        Optional<BucketSession> session = sessions.findUsable(call, bucket);
        Optional<OwnershipTags> found = session.flatMap(usable -> find(usable.buckets()));
        if (session.isPresent() && found.isPresent()) {
            accept(call, session.get(), request, found.get());
            return session.get();
        }
        return create(call, request, sessions.create(call, request));
    }

    private BucketSession create(StoreCall call, ProvisionRequest request, BucketSession session) {
        BucketName bucket = request.bucket();
        Buckets buckets = session.buckets();
        OwnershipTags wanted = request.ownership();
        try {
            buckets.create(wanted, request.options());
        } catch (Taken exists) {
            accept(call, session, request, buckets.ownership().orElseThrow(() -> exists));
            return session;
        }
        Map<String, String> tags = buckets.tagsOfCreated();
        if (sessions.createsAgain()) {
            // Another claim may have created it at the same time, with other tags, which replace these.
            call.pause(TAGS_APPEAR_WITHIN);
            tags = buckets.tagsOfCreated();
        }
        OwnershipTags created = OwnershipTags.read(tags);
        if (created instanceof OwnershipTags.Untagged && session.contents().isEmpty()) {
            buckets.setOwnership(wanted, tags);
        } else if (!created.isOwnedBy(request.owner())) {
            throw OwnershipConflict.taken(bucket, created);
        }
        return session;
    }

    /**
     * A 403 does not prove that the bucket exists: the request that creates it decides, unless it would change a bucket whose
     * tags the administrator may not read.
     */
    private Optional<OwnershipTags> find(Buckets buckets) {
        try {
            return buckets.ownership();
        } catch (Taken ofAnotherAccount) {
            return Optional.empty();
        } catch (Denied perhapsOwnedByAnotherAccount) {
            if (sessions.createsAgain()) {
                throw perhapsOwnedByAnotherAccount;
            }
            return Optional.empty();
        }
    }

    private void accept(StoreCall call, BucketSession session, ProvisionRequest request, OwnershipTags found) {
        BucketName bucket = request.bucket();
        OwnershipTags current = found instanceof OwnershipTags.Untagged ? readAgain(call, session) : found;
        boolean empty =
                current instanceof OwnershipTags.Untagged && session.contents().isEmpty();
        boolean unfinished =
                empty && (request.naming() == Naming.GENERATED || sessions.isCreatedFor(call, bucket, request.owner()));
        for (int reads = 1; empty && !unfinished && reads < READS_OF_EMPTY_BUCKET; reads++) {
            current = readAgain(call, session);
            empty = current instanceof OwnershipTags.Untagged;
        }
        if (unfinished) {
            session.buckets().setOwnership(request.ownership());
        } else if (OwnershipChange.provision(request, current) instanceof NewTags change) {
            change.former().ifPresent(owner -> {
                principals.delete(call, bucket, owner);
                session.settings().remove(AppliedOptions.ALL_OPENING);
            });
            session.buckets().setOwnership(change.tags());
        }
    }

    private static OwnershipTags readAgain(StoreCall call, BucketSession session) {
        call.pause(TAGS_APPEAR_WITHIN);
        return session.buckets().ownership().orElseGet(OwnershipTags.Untagged::new);
    }
}
