package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.util.Optional;

/** A place that is, or may become, a root. */
public interface RootFolder {

    /** Who it is; empty if it never was a root. */
    Optional<RootIdentity> identity() throws IOException;

    /** Makes it a root. */
    void initialize(RootIdentity identity) throws IOException;

    /** Its directories, for as long as that very root is there. */
    DirectoryTree tree(RootIdentity identity);
}
