package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Path;

/** Markers to test with. */
public final class Samples {

    private Samples() {}

    public static Marker marker(String name, String uid, String root) {
        return new Marker(
                new AssetName(name),
                new ClaimIdentity("team", "photos", uid, "ns-uid"),
                "cluster-1",
                "example.com/directory",
                root,
                "shared",
                "/srv/volumes",
                "",
                new Owner(1000, 2000),
                Mode.parse("2770"),
                1024,
                OnDelete.DELETE,
                Marker.State.HELD,
                "");
    }

    public static Marker archived(Marker marker) {
        return new Marker(
                marker.name(),
                marker.claim(),
                marker.cluster(),
                marker.provisioner(),
                marker.root(),
                marker.storageClass(),
                marker.published(),
                marker.node(),
                marker.owner(),
                marker.mode(),
                marker.bytes(),
                OnDelete.ARCHIVE,
                Marker.State.LEAVING,
                marker.name() + ".20260101T000000Z." + marker.claim().uid());
    }

    public static DirectoryTree tree(Path root) throws IOException {
        PosixRoot place = new PosixRoot(root);
        place.initialize(new RootIdentity("root-1", "cluster-1"));
        return place.tree(place.identity().orElseThrow());
    }
}
