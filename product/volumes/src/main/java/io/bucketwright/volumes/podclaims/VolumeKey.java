package io.bucketwright.volumes.podclaims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.SafeText;

/** One volume of one pod; a pod that is created again under the same name is another one. */
record VolumeKey(ObjectKey pod, String volume) {

    /** The key for what is reported about a pod whose volumes are not served. */
    static VolumeKey wholePod(ObjectKey pod) {
        return new VolumeKey(pod, "");
    }

    boolean isWholePod() {
        return volume.isEmpty();
    }

    @Override
    public String toString() {
        return "volume " + SafeText.line(volume) + " of pod " + pod;
    }
}
