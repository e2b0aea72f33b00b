package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import java.util.List;
import java.util.stream.Stream;

/** The name that a claim's volume and directory have. */
public final class VolumeNaming {

    private VolumeNaming() {}

    /** {@code <namespace>-<claim>-vol}, or {@code pvc-<uid>} if that is chosen or the first is too long. */
    public static DirectoryName of(ObjectKey claim, boolean byUid) {
        String byClaim = claim.namespace() + "-" + claim.name() + "-vol";
        return new DirectoryName(byUid || !DirectoryName.isValid(byClaim) ? "pvc-" + claim.uid() : byClaim);
    }

    /** The names that the volume can have, by the class that is used. */
    static List<String> all(ObjectKey claim) {
        return Stream.of(of(claim, false), of(claim, true))
                .map(DirectoryName::text)
                .distinct()
                .toList();
    }

    /** Whether the marker's name can be derived from its claim. */
    public static boolean matchesClaim(Marker marker) {
        ObjectKey claim = DirectoryCaches.key(marker.claim());
        return marker.name().equals(of(claim, false)) || marker.name().equals(of(claim, true));
    }
}
