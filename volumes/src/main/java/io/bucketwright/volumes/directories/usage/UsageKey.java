package io.bucketwright.volumes.directories.usage;

import io.bucketwright.runtime.ObjectKey;
import java.nio.file.Path;

/** What is measured. */
public sealed interface UsageKey {

    /** What a volume's directory holds. */
    record Volume(ObjectKey key) implements UsageKey {}

    /** What a root's file system has. */
    record Disk(Path root) implements UsageKey {}
}
