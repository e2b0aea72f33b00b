package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.ObjectKey;

/** One volume of one life of one pod. */
record VolumeKey(ObjectKey pod, String volume) {

    @Override
    public String toString() {
        return "volume " + Printable.of(volume) + " of pod " + pod;
    }
}
