package io.bucketwright.store.s3;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes a bucket ours, and never one that is not. A bucket is ours if it bears our mark; it gets the mark in the same
 * request that makes it. Where a store ignores that, it is marked right after, and a crash in between leaves an unmarked,
 * empty bucket: ours if nobody else could have chosen its name, otherwise nobody's, and a person must decide.
 */
final class Claiming {

    /** A store may show a bucket a moment before its tags, to others than who made it. */
    private static final Duration TAGS_APPEAR_WITHIN = Duration.ofMillis(150);

    private final Buckets buckets;
    private final Contents contents;

    Claiming(Buckets buckets, Contents contents) {
        this.buckets = buckets;
        this.contents = contents;
    }

    void claim(StoreCall call, ProvisionRequest request) {
        BucketName bucket = request.bucket();
        Mark ours = new Mark.Owned(request.owner());
        Optional<Mark> found = look(call, bucket);
        if (found.isPresent()) {
            settle(call, request, found.get());
            return;
        }
        try {
            buckets.create(call, bucket, ours, request.options());
        } catch (Taken exists) {
            settle(call, request, buckets.mark(call, bucket).orElseThrow(() -> exists));
            return;
        }
        Mark made = buckets.mark(call, bucket)
                .orElseThrow(() -> new Unavailable("The bucket " + bucket + " was made and is gone again."));
        if (made instanceof Mark.Unmarked && contents.isEmpty(call, bucket)) {
            buckets.mark(call, bucket, ours);
        } else if (!made.equals(ours)) {
            throw taken(bucket, made);
        }
    }

    static Taken taken(BucketName bucket, Mark mark) {
        String whose = switch (mark) {
            case Mark.Unmarked _ -> "was not made by Bucketwright, or not for a claim";
            case Mark.Owned _ -> "belongs to another claim";
            case Mark.Released _ -> "was released by its claim; only a class that adopts it can hand it out again";
            case Mark.Adopted _ -> "is an existing bucket that a claim adopted";
            case Mark.Unreadable _ -> "has a mark that this version cannot read";
        };
        return new Taken("The bucket " + bucket + " is there already and " + whose + ".");
    }

    /** That we may not look at it need not mean that it is there: making it will tell. */
    private Optional<Mark> look(StoreCall call, BucketName bucket) {
        try {
            return buckets.mark(call, bucket);
        } catch (Denied perhapsAnotherAccounts) {
            return Optional.empty();
        }
    }

    private void settle(StoreCall call, ProvisionRequest request, Mark found) {
        BucketName bucket = request.bucket();
        Mark ours = new Mark.Owned(request.owner());
        Mark mark = found instanceof Mark.Unmarked ? lookAgain(call, bucket) : found;
        boolean unfinished =
                mark instanceof Mark.Unmarked && request.naming() == Naming.GENERATED && contents.isEmpty(call, bucket);
        if (unfinished) {
            buckets.mark(call, bucket, ours);
        } else if (!mark.equals(ours)) {
            throw taken(bucket, mark);
        }
    }

    private Mark lookAgain(StoreCall call, BucketName bucket) {
        call.interruptible(() -> {
            try {
                Thread.sleep(TAGS_APPEAR_WITHIN);
            } catch (InterruptedException e) {
                throw new Unavailable("The call was cancelled.", e);
            }
            return true;
        });
        return buckets.mark(call, bucket).orElseGet(Mark.Unmarked::new);
    }
}
