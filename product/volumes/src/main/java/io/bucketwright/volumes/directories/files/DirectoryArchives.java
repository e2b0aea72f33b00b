package io.bucketwright.volumes.directories.files;

import static io.bucketwright.volumes.directories.files.RootDirectory.SYSTEM_DIRECTORY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The archived directories of a root, for administrators. A provisioner may run at the same time. */
public final class DirectoryArchives {

    private static final String MARKER_SUFFIX = ".json";

    private final RootDirectory directory;
    private final MarkerFormat format = new MarkerFormat();

    public DirectoryArchives(Path root) {
        this.directory = new RootDirectory(root);
    }

    /** An archive, as it was read. */
    public sealed interface Archived {
        String name();
    }

    /**
     * An archived directory and its marker.
     *
     * @param exists whether there is a directory; not if it was removed, or restored by a command that did not finish
     */
    public record ArchivedDirectory(String name, Marker marker, boolean exists) implements Archived {}

    /** An archive whose marker this version cannot read. It is left unchanged. */
    public record UnreadableArchive(String name, String problem) implements Archived {}

    /** All archives, sorted by name. One that cannot be read does not hide the others. */
    public List<Archived> list() throws IOException {
        try (DirectoryHandle root = directory.open(directory.requireIdentity());
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
            List<Archived> all = new ArrayList<>();
            if (system.status(DirectoryTree.ARCHIVE).isEmpty()) {
                return all;
            }
            try (DirectoryHandle archive = system.open(DirectoryTree.ARCHIVE)) {
                for (String name : names(archive)) {
                    archived(archive, name).ifPresent(all::add);
                }
            }
            return all;
        }
    }

    /** The marker of an archived directory. The markers of other archives are not read. */
    public Marker find(String name) throws IOException {
        Optional<Marker> found = Optional.empty();
        try (DirectoryHandle root = directory.open(directory.requireIdentity());
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
            if (system.status(DirectoryTree.ARCHIVE).isPresent()) {
                try (DirectoryHandle archive = system.open(DirectoryTree.ARCHIVE)) {
                    // Only a name that is listed is read: it cannot contain a path.
                    found = names(archive).contains(name) ? marker(archive, name) : Optional.empty();
                }
            }
        }
        return found.orElseThrow(() -> new IOException("There is no archive " + printable(name)));
    }

    /**
     * Moves an archived directory back to its root, retained for the claim that the marker names. Can be repeated after a
     * crash; replaces nothing.
     */
    public void restore(String name, Marker retained) throws IOException {
        try (DirectoryHandle root = directory.open(directory.requireIdentity());
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY);
                DirectoryHandle archive = system.open(DirectoryTree.ARCHIVE)) {
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
                        + printable(name) + MARKER_SUFFIX);
            }
            if (!resumed && !system.create(retained.name().markerFile(), content)) {
                throw new IOException("A marker of " + directoryName + " already exists; nothing was changed");
            }
            if (archive.status(name).isPresent()) {
                archive.move(DirectoryHandle.bytes(name), root, DirectoryHandle.bytes(directoryName));
            }
            root.sync();
            archive.unlink(DirectoryHandle.bytes(name + MARKER_SUFFIX));
            archive.sync();
        }
    }

    private static List<String> names(DirectoryHandle archive) throws IOException {
        return archive.entries(Integer.MAX_VALUE).stream()
                .map(entry -> new String(entry.name(), StandardCharsets.UTF_8))
                .filter(file -> file.endsWith(MARKER_SUFFIX))
                .map(file -> file.substring(0, file.length() - MARKER_SUFFIX.length()))
                .sorted()
                .toList();
    }

    /** Empty if another administrator has restored the archive since it was listed. */
    private Optional<Archived> archived(DirectoryHandle archive, String name) throws IOException {
        boolean exists = archive.status(name).isPresent();
        try {
            return marker(archive, name).map(marker -> new ArchivedDirectory(name, marker, exists));
        } catch (MarkerFormat.FormatException e) {
            return Optional.of(new UnreadableArchive(name, String.valueOf(e.getMessage())));
        }
    }

    private Optional<Marker> marker(DirectoryHandle archive, String name) throws IOException {
        Optional<byte[]> content = archive.read(name + MARKER_SUFFIX);
        return content.isEmpty()
                ? Optional.empty()
                : Optional.of(format.marker("The marker of archive " + printable(name), content.get()));
    }

    private static String printable(String name) {
        return Libc.printable(DirectoryHandle.bytes(name));
    }
}
