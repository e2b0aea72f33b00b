package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.VerificationDecision.Verification;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.buckets.objects.ClaimOptions;
import io.bucketwright.buckets.objects.IssuedCredentials;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The next step of a claim: one write to the API server, or one call to the store. No step prints a secret value. */
sealed interface ClaimStep {

    /** A request to the API server, or an event. */
    sealed interface ApiStep extends ClaimStep {}

    /** One call to the store. */
    sealed interface StoreStep extends ClaimStep {
        Attempt attempt();

        /**
         * The class whose store is called.
         *
         * @throws Invalid if a recorded parameter is invalid
         */
        BucketClass bucketClass();
    }

    /** One call about a bucket that has an ObjectBucket. */
    sealed interface BucketStep extends StoreStep {
        default RecordedBucket bucket() {
            return attempt().bucket();
        }

        @Override
        default BucketClass bucketClass() {
            ClaimObservation observed = attempt().observed();
            return observed.bound()
                    .map(bound -> ClassChange.reached(bound, observed.state(), bucket()))
                    .orElseGet(bucket()::bucketClass);
        }
    }

    /** Checks that the store responds and has the capabilities, before anything is promised or recorded. */
    record CheckStore(
            Attempt attempt, BucketClass bucketClass, BucketName bucket, Set<Capability> required, boolean tls)
            implements StoreStep {}

    /** Creates the ObjectBucket in phase Pending. After a crash, the intent in it is enough to undo the rest. */
    record RecordIntent(ObjectBucket bucket) implements ApiStep {}

    /**
     * Patches fields of an object.
     *
     * @param then what this process knows afterwards
     */
    record Patch(HasMetadata object, Map<String, ?> fields, UnaryOperator<ClaimState> then) implements ApiStep {
        Patch(HasMetadata object, Map<String, ?> fields) {
            this(object, fields, UnaryOperator.identity());
        }
    }

    /** Records in the ObjectBucket what the store has done. */
    static ClaimStep record(RecordedBucket bucket, Map<String, ?> fields) {
        return new Patch(bucket.object(), fields, ClaimState::withRecorded);
    }

    /** Reverts a change of the ObjectBucket's reclaim policy and reports it. */
    record RevertReclaimPolicy(ObjectBucket bucket, Map<String, ?> fields, String recorded) implements ApiStep {}

    static ClaimStep removeFinalizer(HasMetadata object) {
        return removeFinalizer(object, UnaryOperator.identity());
    }

    static ClaimStep removeFinalizer(HasMetadata object, UnaryOperator<ClaimState> then) {
        return new Patch(object, ClaimMetadata.withoutFinalizer(object), then);
    }

    /**
     * Requests credentials from the store, and the bucket if it is new.
     *
     * @param published ids of credentials that stay valid
     */
    record Provision(Attempt attempt, ClaimOptions options, Set<String> published) implements BucketStep {

        /** Whether the bucket may be created; a bucket that was bound before is never created again. */
        boolean first() {
            return !bucket().complete();
        }
    }

    /** Deletes the user of a claim whose ObjectBucket no longer exists. The name of the user is computed from the uid. */
    record RevokeLost(Attempt attempt, BucketClass bucketClass) implements StoreStep {}

    /** Asks the store that a class which was created again names whether it has the bucket. */
    record Reach(Attempt attempt, BucketClass bucketClass) implements BucketStep {}

    /** Writes what changed with the class to the Secret, beside the same credentials. */
    record MoveSecret(Attempt attempt, ClassChange.Move change, Secret bare) implements ApiStep {}

    /** Reads the Secret from the API server: the cache does not contain it, but perhaps only its label is missing. */
    record ReadSecret(Attempt attempt) implements ApiStep {}

    /**
     * Writes the Secret.
     *
     * @param issued what its annotation says about the credentials
     */
    record WriteSecret(Attempt attempt, ConnectionData data, IssuedCredentials issued) implements ApiStep {}

    /** Looks for a Secret or ConfigMap of a deleted claim that is not in the cache: perhaps only its label is missing. */
    record FindChild(Class<? extends HasMetadata> type, String name) implements ApiStep {}

    /** Removes the finalizer of a Secret that is being deleted, and keeps its content for the next Secret. */
    record ReplaceSecret(Attempt attempt, Secret bare) implements ApiStep {}

    record WriteConfigMap(Attempt attempt, Map<String, String> content) implements ApiStep {}

    /**
     * Applies the options of a bound claim.
     *
     * @param last false if the store may still carry out a request for other options: then they are applied once more
     */
    record ApplyOptions(Attempt attempt, ClaimOptions options, boolean last) implements BucketStep {}

    /** Asks the store whether it still has the bucket and its user. */
    record Verify(Attempt attempt, Duration interval) implements BucketStep {}

    /** Deletes the user of a bound claim whose bucket has another owner now. Does not change the bucket. */
    record RevokeReplaced(Attempt attempt) implements BucketStep {}

    /** Remembers when to ask the store. Sends nothing. */
    record ScheduleVerification(Verification verification) implements ClaimStep {}

    /** Deletes the key from before a rotation. */
    record DeletePreviousKey(Attempt attempt) implements BucketStep {}

    record SetBucketPhase(ObjectBucket bucket, Phase phase) implements ApiStep {}

    record SetClaimStatus(ObjectBucketClaim claim, ClaimStatus status) implements ApiStep {}

    /**
     * Sends an event about a claim whose status another provisioner may own, or about an ObjectBucket without claim.
     *
     * @param then what this process knows afterwards, so that the event is sent once
     */
    record SendEvent(HasMetadata object, String reason, String message, UnaryOperator<ClaimState> then)
            implements ApiStep {
        SendEvent(HasMetadata object, String reason, String message, String summary) {
            this(object, reason, message, state -> state.withReported(summary));
        }
    }

    /**
     * Releases the bucket in the store as the intent requires.
     *
     * @param last false if the store may still carry out a request that it did not confirm: then the bucket is released again
     */
    record Release(Attempt attempt, ReleaseMode mode, OnNotEmpty onNotEmpty, boolean last) implements BucketStep {}

    /**
     * Releases the bucket of an orphan, so that bucket or objects are deleted. Each attempt first reads whether a claim of
     * the same name exists, with any uid: it may be restored from a backup, and no watch has shown it yet.
     */
    record ReclaimOrphan(Release release) implements ClaimStep {}

    record Delete(HasMetadata object) implements ApiStep {}

    /** How the store releases a bucket. */
    enum ReleaseMode {
        DELETE,
        ERASE,
        SUSPEND,
        /** Deletes the user; the bucket stays, tagged as released. */
        RETAIN,
        /** Deletes the user; the bucket is not managed by Bucketwright. */
        REVOKE,
        /** Deletes the user. The release follows later, when the ObjectBucket is deleted. */
        END_ACCESS,
        /** Deletes the user and the tag that this claim had adopted the bucket. */
        UNADOPT;

        /** Whether another claim may get the bucket afterwards. */
        boolean givesToOthers() {
            return this == ERASE || this == RETAIN || this == UNADOPT;
        }
    }

    /** The operations that can fail and be retried independently of each other. */
    enum Operation {
        /** Any write that the API server rejected. */
        WRITE,
        CHECK,
        CREDENTIALS,
        SECRET,
        CONFIG_MAP,
        OPTIONS,
        PREVIOUS_KEY,
        VERIFY,
        REACH,
        RELEASE,
        REVOKE;

        boolean callsStore() {
            return switch (this) {
                case CHECK, CREDENTIALS, OPTIONS, PREVIOUS_KEY, VERIFY, REACH, RELEASE, REVOKE -> true;
                case WRITE, SECRET, CONFIG_MAP -> false;
            };
        }
    }

    /**
     * One attempt of an operation, under which its failure is recorded.
     *
     * @param observed what it was decided from
     */
    record Attempt(Operation operation, ClaimObservation observed) {

        ObjectKey key() {
            return observed.key();
        }

        ObjectBucketClaim claim() {
            return observed.claim().orElseThrow();
        }

        RecordedBucket bucket() {
            return observed.bucket().orElseThrow();
        }

        /** What the result depends on: the operation is tried again as soon as it changes. Few attempts need it. */
        String inputs() {
            return observed.inputs();
        }

        @Override
        public String toString() {
            return operation + " " + key();
        }
    }
}
