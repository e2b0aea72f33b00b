package io.bucketwright.volumes.directories.objects;

import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;

/** The name that a claim's volume and directory have. */
public final class VolumeNaming {

    private VolumeNaming() {}

    /** {@code <namespace>-<claim>-vol}, or {@code pvc-<uid>} if that is chosen or the first is too long. */
    public static DirectoryName of(String namespace, String claim, String uid, boolean byUid) {
        String byClaim = namespace + "-" + claim + "-vol";
        return new DirectoryName(byUid || !DirectoryName.isValid(byClaim) ? "pvc-" + uid : byClaim);
    }

    /** Whether the marker's name can be derived from its claim. */
    public static boolean matchesClaim(Marker marker) {
        return marker.name().equals(of(marker.claim(), false)) || marker.name().equals(of(marker.claim(), true));
    }

    private static DirectoryName of(ClaimIdentity claim, boolean byUid) {
        return of(claim.namespace(), claim.name(), claim.uid(), byUid);
    }
}
