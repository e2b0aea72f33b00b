package io.bucketwright.buckets.claims;

import java.util.Optional;

/**
 * What only this process knows about a claim. Losing it costs a call to the store, never a bucket.
 *
 * @param handed by the store, on its way into the Secret
 * @param checked whether the store was opened and can do what is asked
 * @param secretMissed whether a read showed that the Secret is really gone, not merely without its label
 * @param released whether the store has let go of the bucket
 * @param applied options that the store has taken and the ObjectBucket does not tell yet; empty if none
 * @param retired the key that the store has deleted and the ObjectBucket still tells of; empty if none
 * @param said what was last written to the claim's status: a schema that drops conditions shows it only here
 */
record Recollection(
        Optional<Handed> handed,
        Optional<Failure> failure,
        boolean checked,
        boolean secretMissed,
        boolean released,
        String applied,
        String retired,
        String said) {

    static Recollection none() {
        return new Recollection(Optional.empty(), Optional.empty(), false, false, false, "", "", "");
    }

    Recollection withHanded(Handed newHanded) {
        return new Recollection(
                Optional.of(newHanded), Optional.empty(), checked, secretMissed, released, applied, retired, said);
    }

    Recollection withoutHanded() {
        return new Recollection(Optional.empty(), failure, checked, false, released, "", "", said);
    }

    Recollection withFailure(Failure newFailure) {
        return new Recollection(
                handed, Optional.of(newFailure), checked, secretMissed, released, applied, retired, said);
    }

    Recollection withChecked() {
        return new Recollection(handed, Optional.empty(), true, secretMissed, released, applied, retired, said);
    }

    Recollection withSecretMissed() {
        return new Recollection(handed, failure, checked, true, released, applied, retired, said);
    }

    Recollection withReleased() {
        return new Recollection(Optional.empty(), Optional.empty(), checked, false, true, applied, retired, said);
    }

    Recollection withApplied(String options) {
        return new Recollection(handed, Optional.empty(), checked, secretMissed, released, options, retired, said);
    }

    Recollection withRetired(String key) {
        return new Recollection(handed, Optional.empty(), checked, secretMissed, released, applied, key, said);
    }

    Recollection withSaid(String words) {
        return new Recollection(handed, failure, checked, secretMissed, released, applied, retired, words);
    }
}
