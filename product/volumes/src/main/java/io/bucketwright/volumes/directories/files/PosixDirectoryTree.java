package io.bucketwright.volumes.directories.files;

import static io.bucketwright.volumes.directories.files.PosixRootDirectory.SYSTEM_DIRECTORY;

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

/** The directories of a root on a mounted file system. Every method opens the root and verifies its identity again. */
record PosixDirectoryTree(PosixRootDirectory directory, RootIdentity identity, MarkerFormat format)
        implements DirectoryTree {

    static final String ARCHIVE = "archive";
    private static final String TRASH = "trash";
    private static final String PROJECTS = "projects";
    private static final int PRIVATE = 0700;

    /** Above the ids that the kubelet and container runtimes use. */
    static final int FIRST_PROJECT = 0x42000000;

    private interface Access<R> {
        R with(DirectoryHandle root, DirectoryHandle system) throws IOException;
    }

    private interface Change {
        void with(DirectoryHandle root, DirectoryHandle system) throws IOException;
    }

    private <R> R read(Access<R> access) throws IOException {
        try (DirectoryHandle root = directory.open(identity);
                DirectoryHandle system = root.open(SYSTEM_DIRECTORY)) {
            return access.with(root, system);
        }
    }

    private void change(Change change) throws IOException {
        read((root, system) -> {
            change.with(root, system);
            return true;
        });
    }

    @Override
    public List<MarkerFile> markers() throws IOException {
        return read((_, system) -> {
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

    @Override
    public void removeTemporaryFiles(Duration age) throws IOException {
        long oldest = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - age.toNanos();
        change((_, system) -> forEachEntry(system, entry -> {
            boolean temporary = new String(entry.name(), StandardCharsets.UTF_8).startsWith(DirectoryHandle.TEMPORARY);
            if (temporary
                    && system.status(entry.name())
                            .filter(status -> status.changed() < oldest)
                            .isPresent()) {
                system.unlinkIfExists(entry.name());
            }
        }));
    }

    @Override
    public Map<DirectoryName, String> markerVersions() throws IOException {
        return read((_, system) -> {
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
        if (!file.endsWith(".json") || file.equals(PosixRootDirectory.IDENTITY)) {
            return Optional.empty();
        }
        String name = file.substring(0, file.length() - ".json".length());
        return DirectoryName.isValid(name) ? Optional.of(new DirectoryName(name)) : Optional.empty();
    }

    @Override
    public void reserveSpace() throws IOException {
        change((_, system) -> {
            try {
                system.create(TRASH, PRIVATE);
                system.reserveSpace();
            } catch (SystemCallException e) {
                if (!e.isFull()) {
                    throw e;
                }
            }
        });
    }

    @Override
    public Optional<MarkerFile> marker(DirectoryName name) throws IOException {
        return read((_, system) -> markerFile(system, name));
    }

    @Override
    public boolean createMarker(Marker marker) throws IOException {
        return read((_, system) -> system.create(marker.name().markerFile(), format.write(marker)));
    }

    @Override
    public void replaceMarker(Marker before, Marker after) throws IOException {
        change((_, system) -> {
            requireCurrent(system, before);
            system.replace(after.name().markerFile(), format.write(after));
        });
    }

    @Override
    public void removeMarker(Marker marker) throws IOException {
        change((_, system) ->
                system.remove(marker.name().markerFile(), content -> isCurrent(parse(marker.name(), content), marker)));
    }

    @Override
    public EntryType entryType(DirectoryName name) throws IOException {
        return read((root, _) -> root.status(name.text())
                .map(status -> status.isDirectory() ? EntryType.DIRECTORY : EntryType.OTHER)
                .orElse(EntryType.MISSING));
    }

    @Override
    public void create(Marker marker) throws IOException {
        String name = marker.name().text();
        change((root, system) -> {
            requireCurrent(system, marker);
            root.create(name, PRIVATE);
            // An existing entry may not be a directory; opening it fails then.
            root.open(name).close();
            root.sync();
        });
    }

    @Override
    public void setOwner(Marker marker) throws IOException {
        change((root, system) -> {
            try (DirectoryHandle opened = openCurrent(root, system, marker)) {
                opened.setOwner((int) marker.owner().uid(), (int) marker.owner().gid());
                // Second, because changing the owner clears the setgid bit.
                opened.setMode(marker.mode().bits());
            }
        });
    }

    @Override
    public boolean setQuota(Marker marker) throws IOException {
        return read((root, system) -> {
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

    @Override
    public boolean removeIfEmpty(Marker marker) throws IOException {
        return read((root, system) -> {
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

    @Override
    public void moveToTrash(Marker marker) throws IOException {
        change((root, system) -> {
            try (DirectoryHandle trash = system.openOrCreate(TRASH, PRIVATE)) {
                if (isCurrent(system, marker)) {
                    move(root, marker, trash, marker.claim().uid());
                }
            }
        });
    }

    @Override
    public boolean emptyTrash(Marker marker, BooleanSupplier proceed) throws IOException {
        return read((_, system) -> {
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

    @Override
    public void archive(Marker marker) throws IOException {
        change((root, system) -> {
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

    @Override
    public void requireMountPoint() throws IOException {
        directory.requireMountPoint();
    }

    @Override
    public boolean enforcesQuota() throws IOException {
        return read((root, _) -> root.enforcesQuota());
    }

    @Override
    public Measurement measure(DirectoryName name, Measurement from, BooleanSupplier proceed) throws IOException {
        return read((root, _) -> new TreeMeasurement(proceed).measure(root.open(name.text()), from));
    }

    @Override
    public Space space() throws IOException {
        directory.open(identity).close();
        FileStore store = Files.getFileStore(directory.path());
        return new Space(store.getTotalSpace(), store.getUsableSpace());
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
