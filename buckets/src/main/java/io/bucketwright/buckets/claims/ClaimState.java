package io.bucketwright.buckets.claims;

import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ProvisionedBucket;
import java.util.Optional;

/**
 * What this process knows about a claim between two steps. Losing it costs a call to the store, never a bucket.
 *
 * @param provisioned what the store returned, until it is in the Secret and recorded
 * @param savedData the content of a Secret that somebody deleted, until it is in the next Secret
 * @param checked whether the store is reachable and has the required capabilities
 * @param secretAbsent whether a read showed that the Secret does not exist, rather than lacking its label
 * @param released whether the store has released the bucket
 * @param appliedOptions the digest of options that the store has applied and the ObjectBucket does not record yet
 * @param deletedKey the previous key that the store has deleted and the ObjectBucket still records
 * @param record what is known about the ObjectBucket in this leadership term
 * @param reported what was last written to the claim's status: a schema that drops conditions shows it only here
 */
record ClaimState(
        Optional<ProvisionedBucket> provisioned,
        Optional<ConnectionData> savedData,
        boolean checked,
        boolean secretAbsent,
        boolean released,
        String appliedOptions,
        String deletedKey,
        KnownRecord record,
        String reported) {

    /** What this process knows about the ObjectBucket besides its cache, which may be old when leadership is gained. */
    enum KnownRecord {
        /** Nothing: another leader may have published credentials that the cache does not show. */
        CACHED,
        /** This process created it, and no call for credentials was left without a response. */
        CREATED,
        /** It is as the cache shows it, but the store may still create credentials that an earlier call requested. */
        LATE_KEYS
    }

    static final ClaimState NONE =
            new ClaimState(Optional.empty(), Optional.empty(), false, false, false, "", "", KnownRecord.CACHED, "");

    ClaimState withProvisioned(ProvisionedBucket bucket, String options) {
        return new ClaimState(
                Optional.of(bucket),
                Optional.empty(),
                checked,
                secretAbsent,
                released,
                options,
                deletedKey,
                record,
                reported);
    }

    ClaimState withSavedData(ConnectionData data) {
        return new ClaimState(
                Optional.empty(),
                Optional.of(data),
                checked,
                secretAbsent,
                released,
                appliedOptions,
                deletedKey,
                record,
                reported);
    }

    /** The Secret is written. */
    ClaimState withSecretWritten() {
        return new ClaimState(
                provisioned, Optional.empty(), checked, false, released, appliedOptions, deletedKey, record, reported);
    }

    /** Everything that the store has done is now recorded in the cluster. */
    ClaimState withRecorded() {
        return new ClaimState(Optional.empty(), Optional.empty(), checked, false, released, "", "", record, reported);
    }

    ClaimState withChecked() {
        return new ClaimState(
                provisioned, savedData, true, secretAbsent, released, appliedOptions, deletedKey, record, reported);
    }

    ClaimState withSecretAbsent() {
        return new ClaimState(
                provisioned, savedData, checked, true, released, appliedOptions, deletedKey, record, reported);
    }

    ClaimState withReleased() {
        return new ClaimState(
                Optional.empty(), Optional.empty(), checked, false, true, appliedOptions, deletedKey, record, reported);
    }

    ClaimState withAppliedOptions(String digest) {
        return new ClaimState(
                provisioned, savedData, checked, secretAbsent, released, digest, deletedKey, record, reported);
    }

    ClaimState withDeletedKey(String key) {
        return new ClaimState(
                provisioned, savedData, checked, secretAbsent, released, appliedOptions, key, record, reported);
    }

    ClaimState withRecord(KnownRecord known) {
        return new ClaimState(
                provisioned, savedData, checked, secretAbsent, released, appliedOptions, deletedKey, known, reported);
    }

    ClaimState withReported(String summary) {
        return new ClaimState(
                provisioned, savedData, checked, secretAbsent, released, appliedOptions, deletedKey, record, summary);
    }
}
