package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Optional;

/** A directory that is a root, or becomes one. */
public interface RootDirectory {

    /** The root's identity; empty if the directory was never a root. */
    Optional<RootIdentity> identity() throws IOException;

    /** Makes the directory a root. */
    void initialize(RootIdentity identity) throws IOException;

    /** The directories of the root with that identity. Their methods fail when another root is mounted there. */
    DirectoryTree tree(RootIdentity identity);
}
