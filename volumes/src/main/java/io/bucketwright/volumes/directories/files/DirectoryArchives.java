package io.bucketwright.volumes.directories.files;

import static io.bucketwright.volumes.directories.files.PosixRootDirectory.SYSTEM_DIRECTORY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The archived directories of a root, for administrators. A provisioner may run at the same time. */
public final class DirectoryArchives {

    private final PosixRootDirectory directory;
    private final MarkerFormat format = new MarkerFormat();

    public DirectoryArchives(Path root) {
        this.directory = new PosixRootDirectory(root);
    }

    /**
     * An archived directory and its marker.
     *
     * @param exists whether there is a directory; not if it was removed, or restored by a command that did not finish
     */
    public record Archived(String name, Marker marker, boolean exists) {}

    /** All archived directories, sorted by name. */
    public List<Archived> list() throws IOException {
        try (DirectoryHandle root = directory.open(identity());
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
            List<Archived> all = new ArrayList<>();
            if (system.status(PosixDirectoryTree.ARCHIVE).isEmpty()) {
                return all;
            }
            try (DirectoryHandle archive = system.open(PosixDirectoryTree.ARCHIVE)) {
                for (DirectoryListing.Entry entry : archive.entries(Integer.MAX_VALUE)) {
                    String file = new String(entry.name(), StandardCharsets.UTF_8);
                    if (file.endsWith(".json")) {
                        String name = file.substring(0, file.length() - ".json".length());
                        all.add(new Archived(
                                name,
                                marker(archive, name),
                                archive.status(name).isPresent()));
                    }
                }
            }
            all.sort(Comparator.comparing(Archived::name));
            return all;
        }
    }

    /** The marker of an archived directory. */
    public Marker find(String name) throws IOException {
        return list().stream()
                .filter(archived -> archived.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("There is no archive " + printable(name)))
                .marker();
    }

    /**
     * Moves an archived directory back to its root, retained for the claim that the marker names. Can be repeated after a
     * crash; replaces nothing.
     */
    public void restore(String name, Marker retained) throws IOException {
        try (DirectoryHandle root = directory.open(identity());
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY);
                DirectoryHandle archive = system.open(PosixDirectoryTree.ARCHIVE)) {
            String directoryName = retained.name().text();
            byte[] content = format.write(retained);
            boolean resumed = system.read(retained.name().markerFile())
                    .filter(existing -> Arrays.equals(existing, content))
                    .isPresent();
            if (!resumed && root.status(directoryName).isPresent()) {
                throw new IOException("Directory " + directoryName + " already exists; nothing was changed");
            }
            if (!resumed && archive.status(name).isEmpty()) {
                throw new IOException("The directory of archive " + printable(name)
                        + " no longer exists, so there is nothing to restore. Remove its marker "
                        + printable(name) + ".json");
            }
            if (!resumed && !system.create(retained.name().markerFile(), content)) {
                throw new IOException("A marker of " + directoryName + " already exists; nothing was changed");
            }
            if (archive.status(name).isPresent()) {
                archive.move(DirectoryHandle.bytes(name), root, DirectoryHandle.bytes(directoryName));
            }
            root.sync();
            archive.unlink(DirectoryHandle.bytes(name + ".json"));
            archive.sync();
        }
    }

    private RootIdentity identity() throws IOException {
        Optional<RootIdentity> identity = directory.identity();
        return identity.orElseThrow(() -> new IOException(
                directory.path() + " is not a root of the directory provisioner: it has no " + SYSTEM_DIRECTORY));
    }

    private Marker marker(DirectoryHandle archive, String name) throws IOException {
        byte[] content = archive.read(name + ".json")
                .orElseThrow(() -> new IOException("The marker of archive " + printable(name) + " no longer exists"));
        return format.marker("The marker of archive " + printable(name), content);
    }

    private static String printable(String name) {
        return Libc.printable(DirectoryHandle.bytes(name));
    }
}
