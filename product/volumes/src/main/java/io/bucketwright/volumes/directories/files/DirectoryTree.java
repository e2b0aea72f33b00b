package io.bucketwright.volumes.directories.files;

import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The directories of one root. Every method is idempotent: if a crash interrupts it, calling it again completes it. All
 * methods throw {@link RootUnavailableException} if the root is missing. A method that takes a marker changes the directory
 * only if the marker file on the disk still belongs to the same claim, so a late call cannot change another claim's
 * directory.
 */
public interface DirectoryTree {

    /** What exists under a name. */
    enum EntryType {
        MISSING,
        DIRECTORY,
        /** A file or a symbolic link, which the provisioner never creates. */
        OTHER
    }

    List<MarkerFile> markers() throws IOException;

    /** Removes temporary files that have not been changed for that time: processes that crashed have left them. */
    void removeTemporaryFiles(Duration age) throws IOException;

    /** A text for each marker file, which differs after each change. Cheaper than reading the markers. */
    Map<DirectoryName, String> markerVersions() throws IOException;

    /** Creates what the deletion of a directory needs, because a full disk is freed by deletions. Does nothing if it is full. */
    void reserveSpace() throws IOException;

    Optional<MarkerFile> marker(DirectoryName name) throws IOException;

    /** Writes a new marker; false if one of that name exists. */
    boolean createMarker(Marker marker) throws IOException;

    /** Replaces a marker; fails if the old one no longer exists. */
    void replaceMarker(Marker before, Marker after) throws IOException;

    /** Removes the marker, unless it belongs to another claim. */
    void removeMarker(Marker marker) throws IOException;

    EntryType entryType(DirectoryName name) throws IOException;

    /** Creates the directory with mode 0700, unless it exists. */
    void create(Marker marker) throws IOException;

    /** Sets the owner and mode of the directory. */
    void setOwner(Marker marker) throws IOException;

    /** Sets a project quota of the marker's size; false if the file system does not enforce project quotas. */
    boolean setQuota(Marker marker) throws IOException;

    /** Removes the directory if it is empty or missing; false if it has content. */
    boolean removeIfEmpty(Marker marker) throws IOException;

    /** Moves the directory to the trash, where no volume can use it. Does nothing if it is missing. */
    void moveToTrash(Marker marker) throws IOException;

    /** Deletes from the trash until {@code proceed} is false; true once nothing of the directory is left. */
    boolean emptyTrash(Marker marker, BooleanSupplier proceed) throws IOException;

    /** Moves the directory to the archive, under the name the marker specifies. Does nothing if it was moved before. */
    void archive(Marker marker) throws IOException;

    /** Fails if no file system is mounted at the root. */
    void requireMountPoint() throws IOException;

    /** Whether the file system enforces project quotas. */
    boolean enforcesQuota() throws IOException;

    /** Adds up the disk space of a directory until {@code proceed} is false, starting where another call ended. */
    Measurement measure(DirectoryName name, Measurement from, BooleanSupplier proceed) throws IOException;

    Space space() throws IOException;

    /** The space of the root's file system, in bytes. */
    record Space(long total, long free) {}
}
