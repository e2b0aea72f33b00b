package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.claims.VerificationDecision.Verification;
import io.bucketwright.runtime.Moment;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What this process knows about a claim between two steps. Losing it costs a call to the store, never a bucket.
 *
 * @param unrecorded what the store has done and the cluster does not record yet
 * @param facts what this process has found out or done
 * @param times when something happened that must be waited for
 * @param delay how long after {@link Event#RELEASED_ONCE} the bucket is released again
 * @param reported what was last written to the claim's status: a schema that drops conditions shows it only here
 * @param purged how many objects, versions and uploads the store has deleted; zero if it has not begun
 * @param verification when the store is asked whether it still has the bucket and its user, and what it has answered
 */
record ClaimState(
        Unrecorded unrecorded,
        Set<Fact> facts,
        Map<Event, Moment> times,
        Duration delay,
        String reported,
        long purged,
        Verification verification) {

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

    /** Something that must be waited for. */
    enum Event {
        /** The last request was sent that the store did not confirm: it may carry it out later. */
        UNCONFIRMED,
        /** The store released the bucket, or revoked access to it, for the first time. */
        RELEASED_ONCE,
        /** The options that the store has confirmed are applied once more: a request for others may land until then. */
        OPTIONS_AGAIN,
        /** A key that this process has replaced ends: until then pods may use it. */
        OVERLAP_END,
        /** This process tried to delete a previous key. */
        END_TRIED
    }

    /**
     * What the store returned.
     *
     * @param issuer the administrator's key that its credentials are made of; empty if they are not
     * @param keptKey the key that was published when the store returned that; empty if there was none
     */
    record Provisioned(ProvisionedBucket bucket, String issuer, String keptKey) {}

    /**
     * What the store has done and the cluster does not record yet.
     *
     * @param provisioned what the store returned, until it is in the Secret and recorded
     * @param savedData the content of a Secret that somebody deleted, until it is in the next Secret
     * @param appliedOptions the digest of options that the store has applied and the ObjectBucket does not record yet
     * @param ended the grant that the store has ended and the ObjectBucket still records
     * @param reached whether the store that the class of today names has the bucket
     */
    record Unrecorded(
            Optional<Provisioned> provisioned,
            Optional<ConnectionData> savedData,
            String appliedOptions,
            String ended,
            Reached reached) {

        private static final Unrecorded NONE = new Unrecorded(Optional.empty(), Optional.empty(), "", "", Reached.NONE);

        private Unrecorded with(Optional<Provisioned> returned, Optional<ConnectionData> saved) {
            return new Unrecorded(returned, saved, appliedOptions, ended, reached);
        }

        private Unrecorded withOptions(String digest) {
            return new Unrecorded(provisioned, savedData, digest, ended, reached);
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

        boolean hasBucket() {
            return found.orElse(false);
        }

        /** When it was asked in vain; empty if it was not. */
        Optional<Moment> unansweredAt() {
            return found.isEmpty() ? askedAt : Optional.empty();
        }

        /** When it answered that it does not have the bucket; empty if it did not. */
        Optional<Moment> missedAt() {
            return found.isPresent() && !hasBucket() ? askedAt : Optional.empty();
        }
    }

    static final ClaimState NONE =
            new ClaimState(Unrecorded.NONE, Set.of(), Map.of(), Duration.ZERO, "", 0, Verification.NONE);

    Optional<Provisioned> provisioned() {
        return unrecorded.provisioned();
    }

    String appliedOptions() {
        return unrecorded.appliedOptions();
    }

    String ended() {
        return unrecorded.ended();
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
        return with(found(type));
    }

    /** Whether it need not be read. */
    boolean hasFound(Class<? extends HasMetadata> type) {
        return has(found(type));
    }

    private static Fact found(Class<? extends HasMetadata> type) {
        return type == Secret.class ? Fact.SECRET_FOUND : Fact.CONFIG_MAP_FOUND;
    }

    /** Empty if it has not happened. */
    Optional<Moment> at(Event event) {
        return Optional.ofNullable(times.get(event));
    }

    ClaimState with(Event event, Moment at) {
        Map<Event, Moment> all = new EnumMap<>(Event.class);
        all.putAll(times);
        all.put(event, at);
        return new ClaimState(unrecorded, facts, Map.copyOf(all), delay, reported, purged, verification);
    }

    ClaimState without(Event event) {
        Map<Event, Moment> fewer = new HashMap<>(times);
        fewer.remove(event);
        return new ClaimState(unrecorded, facts, Map.copyOf(fewer), delay, reported, purged, verification);
    }

    ClaimState withProvisioned(Provisioned provisioned, String options, Moment overlapEnd) {
        return with(unrecorded.with(Optional.of(provisioned), Optional.empty()).withOptions(options))
                .with(Event.OVERLAP_END, overlapEnd)
                .withVerification(Verification.NONE);
    }

    ClaimState withSavedData(ConnectionData data) {
        return with(unrecorded.with(Optional.empty(), Optional.of(data)));
    }

    /** The Secret is written. */
    ClaimState withSecretWritten() {
        return with(unrecorded.with(provisioned(), Optional.empty())).without(Fact.SECRET_ABSENT);
    }

    /** Everything that the store has done is now recorded in the cluster. */
    ClaimState withRecorded() {
        return with(Unrecorded.NONE).without(Fact.SECRET_ABSENT);
    }

    ClaimState withReleased() {
        return with(unrecorded.with(Optional.empty(), Optional.empty()))
                .without(Fact.SECRET_ABSENT)
                .with(Fact.RELEASED);
    }

    /** The store has released the bucket, or revoked access to it, and must release it again after the delay. */
    ClaimState withReleasedOnce(Moment at, Duration again) {
        Unrecorded left = unrecorded.with(Optional.empty(), Optional.empty());
        return new ClaimState(left, facts, times, again, reported, 0, verification).with(Event.RELEASED_ONCE, at);
    }

    /** The store did not confirm the call. If it was to create, open or delete something, the store may do so later. */
    ClaimState withUnconfirmed(ClaimStep.StoreStep call) {
        ClaimState later = with(Event.UNCONFIRMED, call.attempt().observed().moment());
        return switch (call) {
            case ClaimStep.Provision _ -> later.without(Fact.INTENT_CREATED);
            case ClaimStep.ApplyOptions _ -> later.without(Event.OPTIONS_AGAIN);
            // The name is free after another release, which must not be the one that was confirmed before.
            case ClaimStep.Release release when release.last() -> later.without(Event.RELEASED_ONCE);
            case ClaimStep.Release _ -> later;
            default -> this;
        };
    }

    /** The digest of applied options; empty if a late request may still change them, so that they are applied again. */
    String settledOptions(Moment now) {
        return expectsLate(now) ? "" : appliedOptions();
    }

    /** Whether the store may still carry out a request of this process that it did not confirm. */
    boolean expectsLate(Moment now) {
        return at(Event.UNCONFIRMED)
                .filter(at -> now.since(at).compareTo(StoreCall.LONGEST_OUTAGE) < 0)
                .isPresent();
    }

    /** What the store of the class with this uid answered. */
    Reached reached(String classUid) {
        return unrecorded.reached().classUid().equals(classUid) ? unrecorded.reached() : Reached.NONE;
    }

    ClaimState withReached(Reached reached) {
        return with(new Unrecorded(provisioned(), unrecorded.savedData(), appliedOptions(), ended(), reached));
    }

    ClaimState withAppliedOptions(String digest) {
        return with(unrecorded.withOptions(digest));
    }

    /** The store has applied the options for the last time. */
    ClaimState withFinalOptions(String digest) {
        return withAppliedOptions(digest).without(Event.OPTIONS_AGAIN);
    }

    /** The store has applied the options, and they are applied once more at that time. */
    ClaimState withAppliedOptions(String digest, Moment again) {
        return withAppliedOptions(digest).with(Event.OPTIONS_AGAIN, again);
    }

    ClaimState withEnded(String grant) {
        return with(
                new Unrecorded(provisioned(), unrecorded.savedData(), appliedOptions(), grant, unrecorded.reached()));
    }

    ClaimState withReported(String summary) {
        return new ClaimState(unrecorded, facts, times, delay, summary, purged, verification);
    }

    /** The store has deleted that many more objects, and others are left. */
    ClaimState withPurged(long more) {
        return new ClaimState(unrecorded, facts, times, delay, reported, purged + more, verification);
    }

    ClaimState withVerification(Verification next) {
        return new ClaimState(unrecorded, facts, times, delay, reported, purged, next);
    }

    private ClaimState with(Unrecorded next) {
        return new ClaimState(next, facts, times, delay, reported, purged, verification);
    }

    private ClaimState with(Set<Fact> next) {
        return new ClaimState(unrecorded, Set.copyOf(next), times, delay, reported, purged, verification);
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
