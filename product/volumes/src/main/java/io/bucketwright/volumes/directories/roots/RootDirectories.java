package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.Measurement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The directories of one open root, as operations on that root use them. Each method locks the directory that it changes
 * and keeps the marker index up to date. A long method works for one second at a time and checks leadership meanwhile.
 */
public final class RootDirectories {

    /** Leaves time for other operations within the two seconds that a worker waits. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final int ENTRIES_BETWEEN_CHECKS = 64;

    /** One lock per directory name, striped. */
    static final class NameLocks {
        private final ReentrantLock[] locks =
                Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

        private ReentrantLock of(DirectoryName name) {
            return locks[Math.floorMod(name.hashCode(), locks.length)];
        }
    }

    private interface Access<R> {
        R get() throws IOException;
    }

    private interface Change {
        void apply() throws IOException;
    }

    private final DirectoryTree tree;
    private final MarkerIndex index;
    private final NameLocks locks;
    private final Leadership leadership;
    private final long term;

    /** Directories of a root that was opened in that leadership term; in another one nothing is changed. */
    RootDirectories(DirectoryTree tree, MarkerIndex index, NameLocks locks, Leadership leadership, long term) {
        this.tree = tree;
        this.index = index;
        this.locks = locks;
        this.leadership = leadership;
        this.term = term;
    }

    public EntryType entryType(DirectoryName name) throws IOException {
        return tree.entryType(name);
    }

    /** Writes a new marker; false if it exceeds the budget or a marker of that name exists. */
    public boolean createMarker(Marker marker, long budget) throws IOException {
        return locked(marker.name(), () -> {
            if (index.byName(marker.name()).isPresent() || !index.reserve(marker, budget)) {
                return false;
            }
            boolean created = false;
            try {
                created = tree.createMarker(marker);
            } finally {
                if (!created) {
                    index.remove(marker.name());
                }
            }
            if (!created) {
                // An administrator put it there, or restored an archive.
                tree.marker(marker.name()).ifPresent(index::put);
            }
            return created;
        });
    }

    /** Adds a marker that another program wrote to the index; false if there is no such marker. */
    public boolean readMarker(DirectoryName name) throws IOException {
        return locked(name, () -> {
            Optional<MarkerFile> found = tree.marker(name);
            found.ifPresent(index::put);
            return found.isPresent();
        });
    }

    /**
     * Updates the index with the markers that other programs changed.
     *
     * @param known the versions when the index was last up to date; they are replaced by the current ones
     * @return the names whose markers changed
     */
    List<DirectoryName> refresh(Map<DirectoryName, String> known) throws IOException {
        Map<DirectoryName, String> current = tree.markerVersions();
        Set<DirectoryName> indexed = index.names();
        Set<DirectoryName> all = new HashSet<>(indexed);
        all.addAll(current.keySet());
        List<DirectoryName> changed = new ArrayList<>();
        for (DirectoryName name : all) {
            boolean same = indexed.contains(name)
                    && current.containsKey(name)
                    && Objects.equals(current.get(name), known.get(name));
            if (!same && reread(name)) {
                changed.add(name);
            }
        }
        known.clear();
        known.putAll(current);
        leadership.requireIn(term);
        tree.reserveSpace();
        return changed;
    }

    private boolean reread(DirectoryName name) throws IOException {
        return locked(name, () -> {
            Optional<MarkerFile> found = tree.marker(name);
            if (found.equals(index.byName(name))) {
                return false;
            }
            found.ifPresentOrElse(index::put, () -> index.remove(name));
            return true;
        });
    }

    /** Fails if no file system is mounted at the root; the root is unavailable then. */
    public void requireMountPoint() throws IOException {
        tree.requireMountPoint();
    }

    /** Whether the file system enforces project quotas. */
    public boolean enforcesQuota() throws IOException {
        return tree.enforcesQuota();
    }

    /** Replaces a marker; false if the index no longer contains the old one. */
    public boolean replaceMarker(Marker before, Marker after) throws IOException {
        return locked(after.name(), () -> {
            if (!index.byName(after.name()).equals(Optional.of(new MarkerFile.Valid(before)))) {
                return false;
            }
            tree.replaceMarker(before, after);
            index.put(new MarkerFile.Valid(after));
            return true;
        });
    }

    /** Removes a marker, unless it belongs to another claim by now. */
    public void removeMarker(Marker marker) throws IOException {
        change(marker, () -> {
            tree.removeMarker(marker);
            if (index.byClaim(marker.claim().uid())
                    .filter(indexed -> indexed.name().equals(marker.name()))
                    .isPresent()) {
                index.remove(marker.name());
            }
        });
    }

    /** Creates the marker's directory, with no permissions for others, unless it exists. */
    public void create(Marker marker) throws IOException {
        change(marker, () -> tree.create(marker));
    }

    /** Sets the owner and mode that the marker specifies. */
    public void setOwner(Marker marker) throws IOException {
        change(marker, () -> tree.setOwner(marker));
    }

    /** Sets a project quota of the marker's size; false if the file system does not enforce project quotas. */
    public boolean setQuota(Marker marker) throws IOException {
        return locked(marker.name(), () -> tree.setQuota(marker));
    }

    /** Removes the directory if it is empty or missing; false if it has content. */
    public boolean removeIfEmpty(Marker marker) throws IOException {
        return locked(marker.name(), () -> tree.removeIfEmpty(marker));
    }

    /** Deletes or archives the directory of a marker in state deleting; false if content is left for another call. */
    public boolean remove(Marker marker) throws IOException {
        boolean archive = marker.onDelete() == DeletionPolicy.ARCHIVE;
        change(marker, () -> {
            if (archive) {
                tree.archive(marker);
            } else {
                tree.moveToTrash(marker);
            }
        });
        // The move may have taken long, on a disk that hangs.
        leadership.requireIn(term);
        return archive || tree.emptyTrash(marker, slice());
    }

    /** Measures the disk space of a directory for one slice; continues a measurement that is not complete. */
    public Measurement measure(DirectoryName name, Measurement from) throws IOException {
        return tree.measure(name, from, slice());
    }

    /** The space of the root's file system. */
    public Space space() throws IOException {
        return tree.space();
    }

    private <R> R locked(DirectoryName name, Access<R> access) throws IOException {
        ReentrantLock lock = locks.of(name);
        lock.lock();
        try {
            // The lock may have been held by an operation that hung, longer than this process led.
            leadership.requireIn(term);
            return access.get();
        } finally {
            lock.unlock();
        }
    }

    private void change(Marker marker, Change change) throws IOException {
        locked(marker.name(), () -> {
            change.apply();
            return true;
        });
    }

    private BooleanSupplier slice() {
        long end = System.nanoTime() + SLICE.toNanos();
        int[] calls = new int[1];
        return () -> {
            if (calls[0]++ % ENTRIES_BETWEEN_CHECKS != 0) {
                return true;
            }
            leadership.requireIn(term);
            return System.nanoTime() - end < 0;
        };
    }
}
