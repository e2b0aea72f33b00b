package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Optional;

/** A directory that is a root, or becomes one. */
public interface RootDirectory {

    /** The root's identity; empty if the directory was never a root. */
    Optional<RootIdentity> identity() throws IOException;

    /**
     * Whether a disk, a network file system or a subvolume is mounted there. A directory of another file system that is
     * mounted there, as a container sees a directory of its host, does not count.
     */
    boolean isMountPoint() throws IOException;

    /** Fails if it is no mount point. */
    default void requireMountPoint() throws IOException {
        if (!isMountPoint()) {
            throw new RootUnavailableException(
                    "No file system is mounted at the root, and its class has" + " requireMountPoint: mount its disk");
        }
    }

    /** Makes the directory a root. */
    void initialize(RootIdentity identity) throws IOException;

    /** The directories of the root with that identity. Their methods fail when another root is mounted there. */
    DirectoryTree tree(RootIdentity identity);

    /** The root does not exist, or is not the root it was: its disk may be unmounted. */
    final class RootUnavailableException extends IOException {

        RootUnavailableException(String message) {
            super(message);
        }
    }
}
