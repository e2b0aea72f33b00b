package io.bucketwright.volumes.directories.files;

import java.util.List;

/**
 * The disk space of a tree, as far as it was read. An incomplete measurement can be continued later; it is small however
 * large the tree is.
 *
 * @param bytes the space of what was read
 * @param complete whether the whole tree was read
 * @param position where to continue: the open directories, from the top
 */
public record Measurement(long bytes, boolean complete, List<Position> position) {

    /** Nothing was read yet. */
    public static final Measurement START = new Measurement(0, false, List.of());

    /**
     * One directory that was not read to its end.
     *
     * @param name its name in the directory above, one character per byte; empty for the top
     * @param offset of the next entry
     */
    record Position(String name, long offset) {}

    public Measurement {
        position = List.copyOf(position);
    }
}
