package io.bucketwright.volumes.directories.roots;

import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.RootIdentity;

/** Whether a root can be worked on. */
public sealed interface RootState {

    /** Nobody has looked yet. */
    record Unopened() implements RootState {}

    /** It is there, and its markers are known. */
    record Open(RootIdentity identity, DirectoryTree tree) implements RootState {}

    /** It is not there, or not as it should be. */
    record Closed(String why) implements RootState {}
}
