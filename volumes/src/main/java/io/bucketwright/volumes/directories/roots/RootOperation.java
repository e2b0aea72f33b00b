package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.controller.Outcome;
import java.io.IOException;

/** One operation on the directories of a root. */
@FunctionalInterface
public interface RootOperation {

    Outcome run(RootDirectories directories) throws IOException;
}
