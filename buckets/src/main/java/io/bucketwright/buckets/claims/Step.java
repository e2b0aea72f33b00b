package io.bucketwright.buckets.claims;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.OnNotEmpty;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Set;

/** What can be done about a claim: one write, or one call to the store. Nothing in a step prints a secret value. */
sealed interface Step {

    /** Opens the store and asks what it can do, before anything is promised. */
    record CheckStore(Concerned on, BucketClass bucketClass, Set<Capability> needs) implements Step {}

    /** Creates the ObjectBucket, phase Pending: from here on, whoever comes after a crash knows what to undo. */
    record RecordIntent(ObjectBucket bucket) implements Step {}

    /** Lays fields of ours over an object. */
    record Merge(HasMetadata object, Map<String, ?> fields) implements Step {}

    /**
     * Asks the store for the bucket, if it is new, and for credentials.
     *
     * @param first whether the bucket may be made; once it was bound, it is not made again behind its owner's back
     * @param published keys that stay valid
     */
    record Ask(Concerned on, BucketIntent intent, ClaimOptions options, boolean first, Set<String> published)
            implements Step {}

    /** Reads the Secret: it is not in the cache, but perhaps it only lost its label. */
    record LookForSecret(Concerned on, ObjectBucketClaim claim) implements Step {}

    /**
     * Writes what was handed over into the Secret.
     *
     * @param former keys that we wrote before, and that go unless they are handed over again
     */
    record PutSecret(Concerned on, ObjectBucketClaim claim, Child<Secret> current, Handed handed, Set<String> former)
            implements Step {}

    /** Lets a Secret go that somebody deleted, and keeps what was in it for the next. */
    record SaveSecret(Concerned on, Secret bare, ObjectBucket bucket) implements Step {}

    /**
     * Writes the ConfigMap.
     *
     * @param former keys that we wrote before, and that go unless they are in the content
     */
    record PutConfigMap(
            Concerned on,
            ObjectBucketClaim claim,
            Child<ConfigMap> current,
            Map<String, String> content,
            Set<String> former)
            implements Step {}

    /** Writes the store's answer into the ObjectBucket. */
    record Complete(Concerned on, ObjectBucket bucket, Map<String, ?> fields) implements Step {}

    record ApplyOptions(Concerned on, BucketIntent intent, ClaimOptions options) implements Step {}

    /** Deletes the key from before a rotation. */
    record Retire(Concerned on, BucketIntent intent, String previous, String kept) implements Step {}

    record SetBucketPhase(ObjectBucket bucket, Phase phase) implements Step {}

    /**
     * Tells the claim's owner how things stand.
     *
     * @param said the same in one text, to be remembered where the schema drops conditions
     */
    record SetClaimStatus(ObjectKey key, ObjectBucketClaim claim, Phase phase, Condition ready, String said)
            implements Step {}

    /** An event on a claim whose status is not ours to write. */
    record Tell(ObjectKey key, ObjectBucketClaim claim, String reason, String message, String said) implements Step {}

    /** Has the store let go of the bucket, by what the intent says. */
    record Release(Concerned on, BucketIntent intent, Manner manner, OnNotEmpty onNotEmpty) implements Step {}

    /** Ends without the store, as an administrator wished; what is there stays there. */
    record Abandon(ObjectKey key, ObjectBucket bucket, String name) implements Step {}

    /** Takes our finalizer off. */
    record LetGo(HasMetadata object) implements Step {}

    record Delete(HasMetadata object) implements Step {}

    /** How a bucket is let go of. */
    enum Manner {
        DELETE,
        ERASE,
        SUSPEND,
        /** The principal goes, the bucket stays with a mark that it was released. */
        RETAIN,
        /** The principal goes, the bucket is none of our business. */
        REVOKE,
        /** The principal goes, and the note that this claim had adopted the bucket. */
        UNADOPT
    }

    /** What a failure of a step stands in the way of. */
    enum Concern {
        CHECK,
        CREDENTIALS,
        SECRET,
        CONFIG_MAP,
        OPTIONS,
        RETIREMENT,
        RELEASE
    }

    /**
     * Whom a step is for, so that its failure is remembered there.
     *
     * @param inputs what a failure depends on
     */
    record Concerned(ObjectKey key, Concern concern, String inputs) {}
}
