package io.bucketwright.volumes.directories.metrics;

import io.bucketwright.runtime.ObjectKey;
import java.nio.file.Path;

/** What is measured. */
public sealed interface DirectoryUsageKey {

    /** The disk usage of a volume's directory. */
    record Volume(ObjectKey key) implements DirectoryUsageKey {}

    /** The space of a root's file system. */
    record FileSystem(Path root) implements DirectoryUsageKey {}
}
