package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.RootIdentity;

/** Whether operations on a root are possible. */
sealed interface RootState {

    /** The root was not opened since this process became the leader. */
    record NotOpened() implements RootState {}

    /** The root's identity was verified and its markers are indexed. */
    record Open(RootIdentity identity) implements RootState {}

    /** The root cannot be opened, or its identity changed. */
    record Unavailable(String reason) implements RootState {}
}
