package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import java.io.IOException;

/** The opening of a root in one leadership term. Reading a disk may take longer than the term. */
record RootOpening(RootDirectory directory, Leadership leadership, long term) {

    /** Makes the directory a root, unless another process led meanwhile, which may have done the same. */
    void initialize(RootIdentity identity) throws IOException {
        requireTerm();
        directory.initialize(identity);
    }

    /** Throws if the term ended. */
    void requireTerm() {
        leadership.requireIn(term);
    }
}
