package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.Moment;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What this process knows about a claim between two steps. Losing it costs a call to the store, never a bucket.
 *
 * @param unrecorded what the store has done and the cluster does not record yet
 * @param facts what this process has found out or done
 * @param reported what was last written to the claim's status: a schema that drops conditions shows it only here
 * @param purged how many objects, versions and uploads the store has deleted; zero if it has not begun
 * @param unconfirmed what the store may still carry out, because it did not confirm a request
 * @param verification when the store is asked whether it still has the bucket and its user, and what it has answered
 */
record ClaimState(
        Unrecorded unrecorded,
        Set<Fact> facts,
        String reported,
        long purged,
        Unconfirmed unconfirmed,
        StoreVerification verification) {

    /** Something that this process has found out or done, and need not do again. */
    enum Fact {
        /** The store is reachable and has the required capabilities. */
        STORE_CHECKED,
        /** A read showed that the Secret does not exist, rather than lacking its label. */
        SECRET_ABSENT,
        /** The store has released the bucket. */
        RELEASED,
        /** This process created the ObjectBucket, and no call for credentials was left without a response. */
        INTENT_CREATED,
        /** A read directly before the bucket of an orphan would be destroyed showed that a claim of its name exists. */
        NAME_IN_USE,
        /** An event reports that the claim does not exist. */
        ORPHAN_REPORTED,
        /** The store has revoked access; the bucket is not released yet. */
        ACCESS_REVOKED,
        /** This process, and no earlier one, has recorded that options are being changed, and sent the requests for that. */
        OPTIONS_OPENED,
        /** The Secret was found or does not exist; if it is not in the cache now, it need not be read. */
        SECRET_FOUND,
        CONFIG_MAP_FOUND
    }

    /**
     * What the store has done and the cluster does not record yet.
     *
     * @param provisioned what the store returned, until it is in the Secret and recorded
     * @param issuer the administrator's key that its credentials are made of; empty if they are not
     * @param keptKey the key that was published when the store returned that; empty if there was none
     * @param savedData the content of a Secret that somebody deleted, until it is in the next Secret
     * @param appliedOptions the digest of options that the store has applied and the ObjectBucket does not record yet
     * @param reached whether the store that the class of today names has the bucket
     * @param deletedKey the previous key that the store has deleted and the ObjectBucket still records
     */
    record Unrecorded(
            Optional<ProvisionedBucket> provisioned,
            String issuer,
            String keptKey,
            Optional<ConnectionData> savedData,
            String appliedOptions,
            String deletedKey,
            Reached reached) {

        private static final Unrecorded NONE =
                new Unrecorded(Optional.empty(), "", "", Optional.empty(), "", "", Reached.NONE);

        private Unrecorded withoutData() {
            return new Unrecorded(Optional.empty(), "", "", Optional.empty(), appliedOptions, deletedKey, reached);
        }
    }

    /**
     * What the store of a class that was created again answered.
     *
     * @param classUid the uid of that class; empty if the store was not asked
     * @param found whether it has the bucket; empty if it did not answer
     * @param askedAt when it was asked; empty if it was not
     */
    record Reached(String classUid, Optional<Boolean> found, Optional<Moment> askedAt) {

        private static final Reached NONE = new Reached("", Optional.empty(), Optional.empty());
    }

    /**
     * What must wait: for requests that the store did not confirm, and for pods that may use a key.
     *
     * @param lastAt when the last one was sent; empty if there was none
     * @param releasedAt when the store released the bucket, or revoked access to it, for the first time; empty if it has not
     * @param delay how long after that the bucket is released again
     * @param overlapUntil how long a key stays valid that this process has replaced; empty if it has replaced none
     * @param endTriedAt when it tried to delete a previous key; empty if it has not
     */
    record Unconfirmed(
            Optional<Moment> lastAt,
            Optional<Moment> releasedAt,
            Duration delay,
            Optional<Moment> overlapUntil,
            Optional<Moment> endTriedAt) {

        private static final Unconfirmed NONE =
                new Unconfirmed(Optional.empty(), Optional.empty(), Duration.ZERO, Optional.empty(), Optional.empty());
    }

    static final ClaimState NONE =
            new ClaimState(Unrecorded.NONE, Set.of(), "", 0, Unconfirmed.NONE, StoreVerification.NONE);

    Optional<ProvisionedBucket> provisioned() {
        return unrecorded.provisioned();
    }

    String issuer() {
        return unrecorded.issuer();
    }

    String keptKey() {
        return unrecorded.keptKey();
    }

    Optional<ConnectionData> savedData() {
        return unrecorded.savedData();
    }

    String appliedOptions() {
        return unrecorded.appliedOptions();
    }

    String deletedKey() {
        return unrecorded.deletedKey();
    }

    Optional<Moment> releasedAt() {
        return unconfirmed.releasedAt();
    }

    boolean has(Fact fact) {
        return facts.contains(fact);
    }

    ClaimState with(Fact fact) {
        Set<Fact> more = EnumSet.of(fact);
        more.addAll(facts);
        return with(more);
    }

    /** A Secret or ConfigMap was found, or does not exist. */
    ClaimState withFound(Class<? extends HasMetadata> type) {
        return with(type == Secret.class ? Fact.SECRET_FOUND : Fact.CONFIG_MAP_FOUND);
    }

    ClaimState withProvisioned(
            ProvisionedBucket bucket, String issuer, String published, String options, Moment overlapUntil) {
        Unconfirmed times = new Unconfirmed(
                unconfirmed.lastAt(),
                unconfirmed.releasedAt(),
                unconfirmed.delay(),
                Optional.of(overlapUntil),
                unconfirmed.endTriedAt());
        return new ClaimState(unrecorded, facts, reported, purged, times, StoreVerification.NONE)
                .with(new Unrecorded(
                        Optional.of(bucket),
                        issuer,
                        published,
                        Optional.empty(),
                        options,
                        deletedKey(),
                        unrecorded.reached()));
    }

    ClaimState withSavedData(ConnectionData data) {
        return with(new Unrecorded(
                Optional.empty(), "", "", Optional.of(data), appliedOptions(), deletedKey(), unrecorded.reached()));
    }

    /** The Secret is written. */
    ClaimState withSecretWritten() {
        return with(new Unrecorded(
                        provisioned(),
                        issuer(),
                        keptKey(),
                        Optional.empty(),
                        appliedOptions(),
                        deletedKey(),
                        unrecorded.reached()))
                .without(Fact.SECRET_ABSENT);
    }

    /** Everything that the store has done is now recorded in the cluster. */
    ClaimState withRecorded() {
        return with(Unrecorded.NONE).without(Fact.SECRET_ABSENT);
    }

    ClaimState withReleased() {
        return with(unrecorded.withoutData()).without(Fact.SECRET_ABSENT).with(Fact.RELEASED);
    }

    /** The store has released the bucket, or revoked access to it, and must release it again. */
    ClaimState withReleasedOnce(Moment at, Duration delay) {
        Unconfirmed released = new Unconfirmed(
                unconfirmed.lastAt(), Optional.of(at), delay, unconfirmed.overlapUntil(), unconfirmed.endTriedAt());
        return new ClaimState(unrecorded.withoutData(), facts, reported, 0, released, verification);
    }

    /** The store did not confirm the call. If it was to create or open something, the store may do so later. */
    ClaimState withUnconfirmed(ClaimStep.StoreStep call) {
        boolean keys = call instanceof ClaimStep.Provision;
        if (!keys && !(call instanceof ClaimStep.ApplyOptions)) {
            return this;
        }
        Unconfirmed later = new Unconfirmed(
                Optional.of(call.attempt().observed().moment()),
                unconfirmed.releasedAt(),
                unconfirmed.delay(),
                unconfirmed.overlapUntil(),
                unconfirmed.endTriedAt());
        ClaimState kept = keys ? without(Fact.INTENT_CREATED) : this;
        return new ClaimState(unrecorded, kept.facts, reported, purged, later, verification);
    }

    /** Whether the store of the class with this uid has the bucket; empty if it was not asked. */
    Optional<Boolean> reached(String classUid) {
        return Optional.of(unrecorded.reached())
                .filter(reached -> reached.classUid().equals(classUid))
                .flatMap(Reached::found);
    }

    /** When that store was asked in vain; empty if it was not. */
    Optional<Moment> unreachedAt(String classUid) {
        return Optional.of(unrecorded.reached())
                .filter(reached ->
                        reached.classUid().equals(classUid) && reached.found().isEmpty())
                .flatMap(Reached::askedAt);
    }

    /** When that store answered that it does not have the bucket; empty if it did not. */
    Optional<Moment> missedAt(String classUid) {
        return Optional.of(unrecorded.reached())
                .filter(reached -> reached.classUid().equals(classUid)
                        && reached.found().filter(found -> !found).isPresent())
                .flatMap(Reached::askedAt);
    }

    ClaimState withReached(Reached reached) {
        return with(new Unrecorded(
                provisioned(), issuer(), keptKey(), savedData(), appliedOptions(), deletedKey(), reached));
    }

    ClaimState withAppliedOptions(String digest) {
        return with(new Unrecorded(
                provisioned(), issuer(), keptKey(), savedData(), digest, deletedKey(), unrecorded.reached()));
    }

    ClaimState withDeletedKey(String key) {
        return with(new Unrecorded(
                provisioned(), issuer(), keptKey(), savedData(), appliedOptions(), key, unrecorded.reached()));
    }

    ClaimState withEndTried(Moment at) {
        Unconfirmed times = new Unconfirmed(
                unconfirmed.lastAt(),
                unconfirmed.releasedAt(),
                unconfirmed.delay(),
                unconfirmed.overlapUntil(),
                Optional.of(at));
        return new ClaimState(unrecorded, facts, reported, purged, times, verification);
    }

    ClaimState withReported(String summary) {
        return new ClaimState(unrecorded, facts, summary, purged, unconfirmed, verification);
    }

    /** The store has deleted that many more objects, and others are left. */
    ClaimState withPurged(long more) {
        return new ClaimState(unrecorded, facts, reported, purged + more, unconfirmed, verification);
    }

    ClaimState withVerification(StoreVerification next) {
        return new ClaimState(unrecorded, facts, reported, purged, unconfirmed, next);
    }

    private ClaimState with(Unrecorded next) {
        return new ClaimState(next, facts, reported, purged, unconfirmed, verification);
    }

    private ClaimState with(Set<Fact> next) {
        return new ClaimState(unrecorded, Set.copyOf(next), reported, purged, unconfirmed, verification);
    }

    ClaimState without(Fact fact) {
        if (!has(fact)) {
            return this;
        }
        Set<Fact> fewer = EnumSet.copyOf(facts);
        fewer.remove(fact);
        return with(fewer);
    }
}
