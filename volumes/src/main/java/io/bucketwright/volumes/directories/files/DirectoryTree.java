package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The directories of one root. Each method is one step: it can be repeated, and what a crash leaves in the middle of it is
 * finished by repeating it. All fail with {@link RootLost} when the root is not there any more. What is done for a marker
 * is done only if that claim's marker still lies on the disk: whoever comes late must not touch what is another's by now.
 */
public interface DirectoryTree {

    /** A marker that was found. */
    sealed interface Found {
        /** As it should be. */
        record Known(Marker marker) implements Found {}

        /** Not to be understood; whatever it stands for stays untouched. */
        record Unknown(AssetName name, String why) implements Found {}
    }

    /** What stands under a name. */
    enum Standing {
        NOTHING,
        DIRECTORY,
        /** A file or a link, which no volume of ours is. */
        SOMETHING_ELSE
    }

    List<Found> markers() throws IOException;

    Optional<Found> marker(AssetName name) throws IOException;

    /** Writes a marker where there is none; false if there is one. */
    boolean record(Marker marker) throws IOException;

    /** Writes a marker over the one it was made from; fails if that one is not there any more. */
    void replace(Marker before, Marker after) throws IOException;

    /** Removes the marker, if it is still that claim's. */
    void removeMarker(Marker marker) throws IOException;

    Standing standing(AssetName name) throws IOException;

    /** Makes the directory, closed to everybody, unless it is there. */
    void make(Marker marker) throws IOException;

    /** Gives the directory the owner and mode that the marker promises. */
    void own(Marker marker) throws IOException;

    /** Has the file system enforce the size that the marker promises, by project quota; false if it has none. */
    boolean limit(Marker marker) throws IOException;

    /** Removes a directory in which nothing is; false if something is. One that is not there is removed. */
    boolean removeIfEmpty(Marker marker) throws IOException;

    /** Takes the directory out of everybody's reach, to be emptied. One that is not there has been taken before. */
    void retire(Marker marker) throws IOException;

    /** Removes of what was retired as much as it is allowed to; true once nothing is left. */
    boolean empty(Marker marker, BooleanSupplier goOn) throws IOException;

    /** Moves the directory among the archived ones, under the name the marker gives. Moved before is moved. */
    void archive(Marker marker) throws IOException;

    /** How many bytes a directory takes up, looking at so many entries at most. */
    Measure measure(AssetName name, BooleanSupplier goOn) throws IOException;

    Space space() throws IOException;

    /** What a directory holds; at least, if the look was not finished. */
    record Measure(long bytes, boolean whole) {}

    /** What a root's file system has. */
    record Space(long total, long free) {}
}
