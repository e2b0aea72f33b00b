package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Recovery;
import io.bucketwright.store.errors.Retry;
import io.bucketwright.store.errors.StoreException;

/** Translates errors of the store into problems that the claim reports. */
final class StoreProblems {

    private StoreProblems() {}

    static Problem of(StoreException e) {
        String message = e.getMessage() == null ? "The store gave no reason." : e.getMessage();
        return e.retry() == Retry.REQUIRES_CHANGE
                ? Problem.requiresChange(reason(e), message)
                : Problem.retryable(reason(e), message);
    }

    /**
     * The problem of a call.
     *
     * @param existing whether the claim uses a bucket that it did not create
     */
    static Problem of(StoreException e, Operation operation, boolean existing) {
        Problem problem = of(e);
        if (e instanceof StoreException.NotEmpty) {
            return Problem.retryable(
                    problem.reason(),
                    problem.message()
                            + " Empty it, and the deletion continues; or an administrator annotates the"
                            + " ObjectBucket with " + ObjectBucketNames.ON_NOT_EMPTY_ANNOTATION
                            + "=purge. What the class said when the claim was bound is recorded: a change of "
                            + ClassParameters.ON_NOT_EMPTY + " in the class is for new claims only.");
        }
        if (operation == Operation.VERIFY) {
            // Nobody is waiting for it, and the claim does not report it.
            return Problem.retryable(problem.reason(), problem.message());
        }
        if (operation == Operation.REVOKE) {
            return Problem.retryable(
                    problem.reason(),
                    problem.message() + " The ObjectBucket of this claim no longer exists. If the store does not exist"
                            + " either, an administrator removes the finalizer " + ObjectBucketNames.FINALIZER
                            + " from the claim: then its user stays in the store.");
        }
        if (existing && operation == Operation.CREDENTIALS && e instanceof StoreException.Invalid) {
            // Perhaps because others have access to the bucket: an administrator changes that in the store, where no
            // watch reports it. Of a new bucket, only the claim or its class can be invalid, and both are watched.
            return Problem.requiresUnwatchedChange(problem.reason(), problem.message());
        }
        if (operation != Operation.RELEASE) {
            return problem;
        }
        String message = problem.message()
                + " If the store no longer exists, an administrator annotates the ObjectBucket" + " with "
                + ObjectBucketNames.ABANDON_ANNOTATION + "=true: then everything in the store stays there.";
        // Nobody edits a claim that is being deleted. The cause is fixed elsewhere, where no watch reports it.
        return problem.recovery() == Recovery.RETRY
                ? Problem.retryable(problem.reason(), message)
                : Problem.requiresUnwatchedChange(problem.reason(), message);
    }

    static Problem shared(BucketSharing.Users users, RecordedBucket bucket) {
        String message = "Bucket "
                + bucket.intent().bucketName() + " is also used by " + users.number()
                + " other claim(s)"
                + (users.proven() ? "" : ", or it is not proven that they use a bucket of that name in another store")
                + ". It is deleted after they are. To keep the bucket and delete only this claim, an administrator sets"
                + " spec.reclaimPolicy of "
                + bucket + " to Retain.";
        // The store of the others is not watched.
        return users.proven()
                ? Problem.requiresChange(ClaimReason.BUCKET_SHARED, message)
                : Problem.requiresUnwatchedChange(ClaimReason.BUCKET_SHARED, message);
    }

    static Problem tlsMissing(String bucketClass) {
        return Problem.requiresChange(
                ClaimReason.TLS_NOT_AVAILABLE,
                "The claim requires an encrypted connection, and the store of class " + bucketClass
                        + " offers none. Remove ssl from the claim, or use another class.");
    }

    private static String reason(StoreException e) {
        return switch (e) {
            case StoreException.Invalid _ -> ClaimReason.INVALID;
            case StoreException.Denied _ -> ClaimReason.STORE_DENIED;
            case StoreException.Taken _ -> ClaimReason.BUCKET_TAKEN;
            case StoreException.NotFound _ -> ClaimReason.BUCKET_NOT_FOUND;
            case StoreException.NotEmpty _ -> ClaimReason.BUCKET_NOT_EMPTY;
            case StoreException.Unavailable _ -> ClaimReason.STORE_UNAVAILABLE;
            case StoreException.Unsupported _ -> ClaimReason.UNSUPPORTED;
        };
    }
}
