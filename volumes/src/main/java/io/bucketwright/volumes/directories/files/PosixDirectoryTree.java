package io.bucketwright.volumes.directories.files;

import static io.bucketwright.volumes.directories.files.PosixRootDirectory.SYSTEM_DIRECTORY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The directories of a root on a mounted file system. Every method opens the root and verifies its identity again. */
record PosixDirectoryTree(PosixRootDirectory directory, RootIdentity identity, MarkerFormat format)
        implements DirectoryTree {

    static final String ARCHIVE = "archive";
    private static final String TRASH = "trash";
    private static final int PRIVATE = 0700;

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
            for (DirectoryEntry entry : system.entries(Integer.MAX_VALUE)) {
                String file = new String(entry.name(), StandardCharsets.UTF_8);
                if (file.startsWith(DirectoryHandle.TEMPORARY)) {
                    system.unlink(entry.name());
                } else if (file.endsWith(".json") && !file.equals(PosixRootDirectory.IDENTITY)) {
                    String name = file.substring(0, file.length() - ".json".length());
                    if (DirectoryName.isValid(name)) {
                        markerFile(system, new DirectoryName(name)).ifPresent(found::add);
                    }
                }
            }
            return found;
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
        change((_, system) -> {
            if (isCurrent(system, marker)) {
                system.unlink(DirectoryHandle.bytes(marker.name().markerFile()));
            }
        });
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
                return opened.setQuota(marker.bytes());
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
                return new TreeRemoval(trash, proceed).remove(marker.claim().uid());
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
                archive.sync();
            }
        });
    }

    @Override
    public long measure(DirectoryName name, BooleanSupplier proceed) throws IOException {
        return read((root, _) -> {
            try (DirectoryHandle opened = root.open(name.text())) {
                return new TreeMeasurement(proceed).of(opened);
            }
        });
    }

    @Override
    public Space space() throws IOException {
        directory.open(identity).close();
        FileStore store = Files.getFileStore(directory.path());
        return new Space(store.getTotalSpace(), store.getUsableSpace());
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
                .flatMap(MarkerFile::valid)
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
        openOnSameMount(root, marker.name()).close();
        root.move(name, to, DirectoryHandle.bytes(newName));
        root.sync();
        to.sync();
    }

    private Optional<MarkerFile> markerFile(DirectoryHandle system, DirectoryName name) throws IOException {
        Optional<byte[]> content = system.read(name.markerFile());
        if (content.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new MarkerFile.Valid(format.marker(name, content.get())));
        } catch (MarkerFormatException e) {
            return Optional.of(new MarkerFile.Invalid(name, String.valueOf(e.getMessage())));
        }
    }
}
