package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.volumes.directories.classes.DirectoryClass;
import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.Measurement;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The directories of one open root, as operations on that root use them. A change locks the name of its directory, belongs to
 * the leadership term in which the root was opened, and keeps the marker index up to date. A long method works for one second
 * at a time and checks leadership meanwhile.
 */
final class RootDirectories extends DirectoryTree {

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

    private final MarkerIndex index;
    private final NameLocks locks;
    private final Leadership leadership;
    private final long term;
    /** When the index was last up to date. Only the controller of roots uses it, in one operation at a time. */
    private final Map<DirectoryName, String> versions = new ConcurrentHashMap<>();

    /** Directories of a root that was opened in that leadership term; in another one nothing is changed. */
    RootDirectories(
            RootDirectory directory,
            RootIdentity identity,
            MarkerIndex index,
            NameLocks locks,
            Leadership leadership,
            long term) {
        super(directory, identity);
        this.index = index;
        this.locks = locks;
        this.leadership = leadership;
        this.term = term;
    }

    @Override
    protected <R> R locked(DirectoryName name, RootDirectory.Access<R> access) throws IOException {
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

    /** Throws if the term ended. */
    void requireTerm() {
        leadership.requireIn(term);
    }

    @Override
    public boolean createMarker(Marker marker) throws IOException {
        return createMarker(marker, DirectoryClass.UNLIMITED);
    }

    /** Writes a new marker; false if it exceeds the budget or a marker of that name exists. */
    boolean createMarker(Marker marker, long budget) throws IOException {
        return locked(marker.name(), () -> {
            if (index.byName(marker.name()).isPresent() || !index.reserve(marker, budget)) {
                return false;
            }
            boolean created = false;
            try {
                created = super.createMarker(marker);
            } finally {
                if (!created) {
                    index.remove(marker.name());
                }
            }
            if (!created) {
                // An administrator put it there, or restored an archive.
                marker(marker.name()).ifPresent(index::put);
            }
            return created;
        });
    }

    /** Adds a marker that another program wrote to the index; false if there is no such marker. */
    boolean readMarker(DirectoryName name) throws IOException {
        return locked(name, () -> {
            Optional<MarkerFile> found = marker(name);
            found.ifPresent(index::put);
            return found.isPresent();
        });
    }

    /** Reads all markers into the index. */
    void readMarkers() throws IOException {
        versions.putAll(markerVersions());
        index.load(markers());
    }

    /** Updates the index with the markers that other programs changed; returns their names. */
    List<DirectoryName> refresh() throws IOException {
        Map<DirectoryName, String> current = markerVersions();
        Set<DirectoryName> indexed = index.names();
        Set<DirectoryName> all = new HashSet<>(indexed);
        all.addAll(current.keySet());
        List<DirectoryName> changed = new ArrayList<>();
        for (DirectoryName name : all) {
            boolean same = indexed.contains(name)
                    && current.containsKey(name)
                    && Objects.equals(current.get(name), versions.get(name));
            if (!same && reread(name)) {
                changed.add(name);
            }
        }
        versions.clear();
        versions.putAll(current);
        requireTerm();
        reserveSpace();
        return changed;
    }

    private boolean reread(DirectoryName name) throws IOException {
        return locked(name, () -> {
            Optional<MarkerFile> found = marker(name);
            if (found.equals(index.byName(name))) {
                return false;
            }
            found.ifPresentOrElse(index::put, () -> index.remove(name));
            return true;
        });
    }

    /** False if the index no longer contains the old marker. */
    @Override
    public boolean replaceMarker(Marker before, Marker after) throws IOException {
        return locked(after.name(), () -> {
            if (!index.byName(after.name()).equals(Optional.of(new MarkerFile.Valid(before)))) {
                return false;
            }
            boolean _ = super.replaceMarker(before, after);
            index.put(new MarkerFile.Valid(after));
            return true;
        });
    }

    @Override
    public void removeMarker(Marker marker) throws IOException {
        boolean _ = locked(marker.name(), () -> {
            super.removeMarker(marker);
            boolean indexed = index.byClaim(marker.claim().uid())
                    .filter(found -> found.name().equals(marker.name()))
                    .isPresent();
            if (indexed) {
                index.remove(marker.name());
            }
            return indexed;
        });
    }

    /** Deletes or archives the directory of a marker in state deleting; false if content is left for another call. */
    boolean remove(Marker marker) throws IOException {
        boolean archive = marker.onDelete() == DeletionPolicy.ARCHIVE;
        if (archive) {
            archive(marker);
        } else {
            moveToTrash(marker);
        }
        // The move may have taken long, on a disk that hangs.
        requireTerm();
        return archive || emptyTrash(marker, slice());
    }

    /** Measures the disk space of a directory for one slice; continues a measurement that is not complete. */
    Measurement measure(DirectoryName name, Measurement from) throws IOException {
        return measure(name, from, slice());
    }

    private BooleanSupplier slice() {
        long end = System.nanoTime() + SLICE.toNanos();
        int[] calls = new int[1];
        return () -> {
            if (calls[0]++ % ENTRIES_BETWEEN_CHECKS != 0) {
                return true;
            }
            requireTerm();
            return System.nanoTime() - end < 0;
        };
    }
}
