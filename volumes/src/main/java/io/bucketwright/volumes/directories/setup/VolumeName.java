package io.bucketwright.volumes.directories.setup;

import io.bucketwright.volumes.directories.files.AssetName;
import io.bucketwright.volumes.directories.files.Marker;

/** What a claim's volume and directory are called. */
public final class VolumeName {

    private VolumeName() {}

    /** By the claim's own name, where that fits. */
    public static AssetName of(String namespace, String claim, String uid, boolean byUid) {
        String wanted = namespace + "-" + claim + "-vol";
        return new AssetName(byUid || !AssetName.fits(wanted) ? "pvc-" + uid : wanted);
    }

    /** Whether the marker's name is one that its own claim can have. */
    public static boolean isRightFor(Marker marker) {
        return marker.name().equals(of(marker, false)) || marker.name().equals(of(marker, true));
    }

    private static AssetName of(Marker marker, boolean byUid) {
        return of(
                marker.claim().namespace(),
                marker.claim().name(),
                marker.claim().uid(),
                byUid);
    }
}
