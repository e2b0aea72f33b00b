package io.bucketwright.volumes.directories.files;

import static io.bucketwright.volumes.directories.files.RootDirectory.SYSTEM_DIRECTORY;

import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The directories of one root. Every method opens the root and verifies its identity again, and throws
 * {@link RootUnavailableException} if the root is missing. Every method is idempotent: if a crash interrupts it, calling it
 * again completes it. A method that takes a marker changes the directory only if the marker file on the disk still belongs to
 * the same claim, so a late call cannot change another claim's directory.
 */
public class DirectoryTree {

    /** What exists under a name. */
    public enum EntryType {
        MISSING,
        DIRECTORY,
        /** A file or a symbolic link, which the provisioner never creates. */
        OTHER
    }

    /** The space of the root's file system, in bytes. */
    public record Space(long total, long free) {}

    static final String ARCHIVE = "archive";
    private static final String TRASH = "trash";
    private static final String PROJECTS = "projects";
    private static final int PRIVATE = 0700;

    /** Above the ids that the kubelet and container runtimes use. */
    static final int FIRST_PROJECT = 0x42000000;

    private final RootDirectory directory;
    private final RootIdentity identity;
    private final MarkerFormat format;

    /** The directories of the root with that identity. The methods fail when another root is mounted there. */
    public DirectoryTree(RootDirectory directory, RootIdentity identity) {
        this.directory = directory;
        this.identity = identity;
        this.format = directory.format;
    }

    private interface Access<R> {
        R with(DirectoryHandle root, DirectoryHandle system) throws IOException;
    }

    private interface Change {
        void with(DirectoryHandle root, DirectoryHandle system) throws IOException;
    }

    private <R> R read(String operation, Access<R> access) throws IOException {
        return directory.access(operation, () -> {
            try (DirectoryHandle root = directory.open(identity);
                    DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
                return access.with(root, system);
            }
        });
    }

    private <R> R locked(String operation, Marker marker, Access<R> access) throws IOException {
        return locked(marker.name(), () -> read(operation, access));
    }

    private void change(String operation, Marker marker, Change change) throws IOException {
        locked(operation, marker, (root, system) -> {
            change.with(root, system);
            return true;
        });
    }

    /** Around each change of a directory or its marker. Only a root with several threads needs locks. */
    protected <R> R locked(DirectoryName name, RootDirectory.Access<R> access) throws IOException {
        return access.get();
    }

    public List<MarkerFile> markers() throws IOException {
        return read("markers", (_, system) -> {
            List<MarkerFile> found = new ArrayList<>();
            forEachEntry(system, entry -> {
                Optional<DirectoryName> name = markerName(entry);
                if (name.isPresent()) {
                    markerFile(system, name.get()).ifPresent(found::add);
                }
            });
            return found;
        });
    }

    /** Removes temporary files that have not been changed for that time: processes that crashed have left them. */
    public void removeTemporaryFiles(Duration age) throws IOException {
        long oldest = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - age.toNanos();
        boolean _ = read("removeTemporaryFiles", (_, system) -> {
            forEachEntry(system, entry -> {
                boolean temporary =
                        new String(entry.name(), StandardCharsets.UTF_8).startsWith(DirectoryHandle.TEMPORARY);
                if (temporary
                        && system.status(entry.name())
                                .filter(status -> status.changed() < oldest)
                                .isPresent()) {
                    system.unlinkIfExists(entry.name());
                }
            });
            return true;
        });
    }

    /** A text for each marker file, which differs after each change. Cheaper than reading the markers. */
    public Map<DirectoryName, String> markerVersions() throws IOException {
        return read("markerVersions", (_, system) -> {
            Map<DirectoryName, String> found = new HashMap<>();
            forEachEntry(system, entry -> {
                Optional<DirectoryName> name = markerName(entry);
                if (name.isPresent()) {
                    system.status(entry.name())
                            .ifPresent(status -> found.put(name.get(), status.inode() + "-" + status.changed()));
                }
            });
            return found;
        });
    }

    private interface EntryVisitor {
        void visit(DirectoryListing.Entry entry) throws IOException;
    }

    private static void forEachEntry(DirectoryHandle directory, EntryVisitor visitor) throws IOException {
        try (DirectoryListing listing = directory.list()) {
            for (Optional<DirectoryListing.Entry> next = listing.next(); next.isPresent(); next = listing.next()) {
                visitor.visit(next.get());
            }
        }
    }

    private static Optional<DirectoryName> markerName(DirectoryListing.Entry entry) {
        String file = new String(entry.name(), StandardCharsets.UTF_8);
        if (!file.endsWith(".json") || file.equals(RootDirectory.IDENTITY)) {
            return Optional.empty();
        }
        String name = file.substring(0, file.length() - ".json".length());
        return DirectoryName.isValid(name) ? Optional.of(new DirectoryName(name)) : Optional.empty();
    }

    /** Creates what the deletion of a directory needs, because a full disk is freed by deletions. Does nothing if it is full. */
    public void reserveSpace() throws IOException {
        boolean _ = read("reserveSpace", (_, system) -> {
            try {
                system.create(TRASH, PRIVATE);
                system.reserveSpace();
                return true;
            } catch (SystemCallException e) {
                if (e.isFull()) {
                    return false;
                }
                throw e;
            }
        });
    }

    public Optional<MarkerFile> marker(DirectoryName name) throws IOException {
        return read("marker", (_, system) -> markerFile(system, name));
    }

    /** Writes a new marker; false if one of that name exists. */
    public boolean createMarker(Marker marker) throws IOException {
        return locked(
                "createMarker",
                marker,
                (_, system) -> system.create(marker.name().markerFile(), format.write(marker)));
    }

    /** Replaces a marker; fails if the old one is no longer on the disk, and is false if it is known to be outdated. */
    public boolean replaceMarker(Marker before, Marker after) throws IOException {
        return locked("replaceMarker", before, (_, system) -> {
            requireCurrent(system, before);
            system.replace(after.name().markerFile(), format.write(after));
            return true;
        });
    }

    /** Removes the marker, unless it belongs to another claim. */
    public void removeMarker(Marker marker) throws IOException {
        change(
                "removeMarker",
                marker,
                (_, system) -> system.remove(
                        marker.name().markerFile(), content -> isCurrent(parse(marker.name(), content), marker)));
    }

    public EntryType entryType(DirectoryName name) throws IOException {
        return read(
                "entryType",
                (root, _) -> root.status(name.text())
                        .map(status -> status.isDirectory() ? EntryType.DIRECTORY : EntryType.OTHER)
                        .orElse(EntryType.MISSING));
    }

    /** Creates the directory with mode 0700, with no permissions for others, unless it exists. */
    public void create(Marker marker) throws IOException {
        String name = marker.name().text();
        change("create", marker, (root, system) -> {
            requireCurrent(system, marker);
            root.create(name, PRIVATE);
            // An existing entry may not be a directory; opening it fails then.
            root.open(name).close();
            root.sync();
        });
    }

    /** Sets the owner and mode that the marker specifies. */
    public void setOwner(Marker marker) throws IOException {
        change("setOwner", marker, (root, system) -> {
            try (DirectoryHandle opened = openCurrent(root, system, marker)) {
                opened.setOwner((int) marker.owner().uid(), (int) marker.owner().gid());
                // Second, because changing the owner clears the setgid bit.
                opened.setMode(marker.mode().bits());
            }
        });
    }

    /** Sets a project quota of the marker's size; false if the file system does not enforce project quotas. */
    public boolean setQuota(Marker marker) throws IOException {
        return locked("setQuota", marker, (root, system) -> {
            try (DirectoryHandle opened = openCurrent(root, system, marker)) {
                if (!opened.enforcesQuota()) {
                    return false;
                }
                // A directory that is used again keeps its project, to which its content belongs.
                int project = opened.project();
                opened.setQuota(project == 0 ? allocateProject(system) : project, marker.bytes());
                return true;
            }
        });
    }

    /** Removes the directory if it is empty or missing; false if it has content. */
    public boolean removeIfEmpty(Marker marker) throws IOException {
        return locked("removeIfEmpty", marker, (root, system) -> {
            try {
                if (isCurrent(system, marker)) {
                    root.removeDirectory(DirectoryHandle.bytes(marker.name().text()));
                }
                return true;
            } catch (SystemCallException e) {
                if (e.is(SystemCallException.ENOENT, SystemCallException.ENOTEMPTY, SystemCallException.EEXIST)) {
                    return e.is(SystemCallException.ENOENT);
                }
                throw e;
            }
        });
    }

    /** Moves the directory to the trash, where no volume can use it. Does nothing if it is missing. */
    public void moveToTrash(Marker marker) throws IOException {
        change("moveToTrash", marker, (root, system) -> {
            try (DirectoryHandle trash = system.openOrCreate(TRASH, PRIVATE)) {
                if (isCurrent(system, marker)) {
                    move(root, marker, trash, marker.claim().uid());
                }
            }
        });
    }

    /** Deletes from the trash until {@code proceed} is false; true once nothing of the directory is left. */
    public boolean emptyTrash(Marker marker, BooleanSupplier proceed) throws IOException {
        return read("emptyTrash", (_, system) -> {
            try (DirectoryHandle trash = system.openOrCreate(TRASH, PRIVATE)) {
                String name = marker.claim().uid();
                int project = project(system, trash, name);
                boolean removed = new TreeRemoval(trash, proceed).remove(name);
                if (removed && project != 0) {
                    releaseProject(system, project);
                }
                return removed;
            }
        });
    }

    /** Moves the directory to the archive, under the name the marker specifies. Does nothing if it was moved before. */
    public void archive(Marker marker) throws IOException {
        change("archive", marker, (root, system) -> {
            try (DirectoryHandle archive = system.openOrCreate(ARCHIVE, PRIVATE)) {
                requireCurrent(system, marker);
                // The marker first: without it, an archived directory could not be restored to its claim.
                archive.create(marker.archive() + ".json", format.write(marker));
                move(root, marker, archive, marker.archive());
                if (archive.status(marker.archive()).isEmpty()) {
                    // There was no directory, so there is no archive.
                    archive.unlink(DirectoryHandle.bytes(marker.archive() + ".json"));
                }
                archive.sync();
            }
        });
    }

    /** Fails if no file system is mounted at the root; the root is unavailable then. */
    public void requireMountPoint() throws IOException {
        directory.requireMountPoint();
    }

    /** Whether the file system enforces project quotas. */
    public boolean enforcesQuota() throws IOException {
        return read("enforcesQuota", (root, _) -> root.enforcesQuota());
    }

    /** Adds up the disk space of a directory until {@code proceed} is false, starting where another call ended. */
    public Measurement measure(DirectoryName name, Measurement from, BooleanSupplier proceed) throws IOException {
        return read("measure", (root, _) -> new TreeMeasurement(proceed).measure(root.open(name.text()), from));
    }

    public Space space() throws IOException {
        return read("space", (_, _) -> {
            FileStore store = Files.getFileStore(directory.path());
            return new Space(store.getTotalSpace(), store.getUsableSpace());
        });
    }

    /** Ids of quota projects are recorded, so that each is used once on the file system. Inode numbers are too large. */
    static int allocateProject(DirectoryHandle system) throws IOException {
        try (DirectoryHandle projects = system.openOrCreate(PROJECTS, PRIVATE)) {
            Set<String> used = new HashSet<>();
            forEachEntry(projects, entry -> used.add(new String(entry.name(), StandardCharsets.UTF_8)));
            int project = FIRST_PROJECT;
            while (used.contains("" + project) || !projects.create("" + project, new byte[0])) {
                project++;
            }
            return project;
        }
    }

    /** The project of a directory in the trash; 0 if no project was ever allocated. */
    private static int project(DirectoryHandle system, DirectoryHandle trash, String name) throws IOException {
        if (system.status(PROJECTS).isEmpty()
                || trash.status(name).filter(FileStatus::isDirectory).isEmpty()) {
            return 0;
        }
        try (DirectoryHandle directory = trash.open(name)) {
            return directory.project();
        }
    }

    static void releaseProject(DirectoryHandle system, int project) throws IOException {
        try (DirectoryHandle projects = system.open(PROJECTS)) {
            projects.remove("" + project, _ -> true);
        }
    }

    private DirectoryHandle openCurrent(DirectoryHandle root, DirectoryHandle system, Marker marker)
            throws IOException {
        requireCurrent(system, marker);
        return openOnSameMount(root, marker.name());
    }

    private static DirectoryHandle openOnSameMount(DirectoryHandle root, DirectoryName name) throws IOException {
        DirectoryHandle opened = root.open(name.text());
        try {
            if (root.status().mount().equals(opened.status().mount())) {
                return opened;
            }
            throw SystemCallException.otherFileSystem("Opening " + name);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private void requireCurrent(DirectoryHandle system, Marker marker) throws IOException {
        if (!isCurrent(system, marker)) {
            throw new IOException(
                    "The marker of directory " + marker.name() + " is missing, or belongs to another claim by now");
        }
    }

    private boolean isCurrent(DirectoryHandle system, Marker marker) throws IOException {
        return markerFile(system, marker.name())
                .filter(file -> isCurrent(file, marker))
                .isPresent();
    }

    private static boolean isCurrent(MarkerFile file, Marker marker) {
        return file.valid()
                .filter(current ->
                        current.claim().uid().equals(marker.claim().uid()) && current.state() == marker.state())
                .isPresent();
    }

    private static void move(DirectoryHandle root, Marker marker, DirectoryHandle to, String newName)
            throws IOException {
        byte[] name = DirectoryHandle.bytes(marker.name().text());
        Optional<FileStatus> status = root.status(name);
        if (status.isEmpty()) {
            return;
        }
        if (!status.get().isDirectory()) {
            throw new SystemCallException("Moving " + marker.name(), SystemCallException.ENOTDIR);
        }
        try (DirectoryHandle opened = openOnSameMount(root, marker.name())) {
            root.move(name, opened, to, DirectoryHandle.bytes(newName));
        }
        root.sync();
        to.sync();
    }

    private Optional<MarkerFile> markerFile(DirectoryHandle system, DirectoryName name) throws IOException {
        return system.read(name.markerFile()).map(content -> parse(name, content));
    }

    private MarkerFile parse(DirectoryName name, byte[] content) {
        try {
            return new MarkerFile.Valid(format.marker(name, content));
        } catch (MarkerFormat.FormatException e) {
            return new MarkerFile.Invalid(name, String.valueOf(e.getMessage()));
        }
    }
}
