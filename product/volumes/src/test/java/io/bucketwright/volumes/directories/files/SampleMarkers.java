package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Path;

/** Markers to test with. */
public final class SampleMarkers {

    private SampleMarkers() {}

    public static Marker marker(String name, String uid, String root) {
        return marker(name, new ClaimIdentity("team", "photos", uid, "ns-uid"), root, DeletionPolicy.DELETE);
    }

    public static Marker withBytes(Marker marker, long bytes) {
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
                bytes,
                marker.onDelete(),
                marker.state(),
                marker.archive());
    }

    /** The marker of a directory that is being archived. */
    public static Marker archiving(Marker marker) {
        return marker(marker.name().text(), marker.claim(), marker.root(), DeletionPolicy.ARCHIVE)
                .deleting(marker.name() + ".20260101T000000Z." + marker.claim().uid());
    }

    public static Marker inState(Marker marker, Marker.State state) {
        return switch (state) {
            case IN_USE -> marker(marker.name().text(), marker.claim(), marker.root(), marker.onDelete());
            case DELETING -> marker.deleting("");
            case RETAINED -> marker.retained();
        };
    }

    private static Marker marker(String name, ClaimIdentity claim, String root, DeletionPolicy onDelete) {
        return new Marker(
                new DirectoryName(name),
                claim,
                "cluster-1",
                "example.com/directory",
                root,
                "shared",
                "/srv/volumes",
                "",
                new DirectoryOwner(1000, 2000),
                DirectoryMode.parse("2770"),
                1024,
                onDelete,
                Marker.State.IN_USE,
                "");
    }

    public static DirectoryTree tree(Path root) throws IOException {
        RootDirectory directory = new RootDirectory(root);
        directory.initialize(new RootIdentity("root-1", "cluster-1"));
        return new DirectoryTree(directory, directory.identity().orElseThrow());
    }
}
