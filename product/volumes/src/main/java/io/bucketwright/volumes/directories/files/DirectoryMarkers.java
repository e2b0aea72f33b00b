package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The markers of a root, for administrators. A provisioner may run at the same time; it reads changes within a minute. */
public final class DirectoryMarkers {

    private final RootDirectory directory;

    public DirectoryMarkers(Path root) {
        this.directory = new RootDirectory(root);
    }

    /** All markers, sorted by name. */
    public List<MarkerFile> list() throws IOException {
        return tree().markers().stream()
                .sorted(Comparator.comparing(file -> file.name().text()))
                .toList();
    }

    /** The marker of a directory. */
    public Marker find(DirectoryName name) throws IOException {
        Optional<MarkerFile> file = tree().marker(name);
        if (file.isEmpty()) {
            throw new IOException("There is no marker of directory " + name + " below " + directory.path());
        }
        return switch (file.get()) {
            case MarkerFile.Valid(Marker marker) -> marker;
            case MarkerFile.Invalid(DirectoryName _, String problem) -> throw new IOException(problem);
        };
    }

    /** Replaces a marker, unless it was changed meanwhile. */
    public void replace(Marker before, Marker after) throws IOException {
        boolean _ = tree().replaceMarker(before, after);
    }

    /** Deletes the directory with all its content, and the marker. Can be repeated after a crash. */
    public void remove(Marker marker) throws IOException {
        DirectoryTree tree = tree();
        Marker deleting = marker.deleting("");
        if (marker.state() != Marker.State.DELETING) {
            boolean _ = tree.replaceMarker(marker, deleting);
        }
        tree.moveToTrash(deleting);
        boolean removed = tree.emptyTrash(deleting, () -> true);
        if (!removed) {
            throw new IOException("Directory " + marker.name() + " could not be deleted");
        }
        tree.removeMarker(deleting);
    }

    private DirectoryTree tree() throws IOException {
        return new DirectoryTree(directory, directory.requireIdentity());
    }
}
