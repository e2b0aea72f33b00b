package io.bucketwright.volumes.directories.classes;

/** How nodes reach the directories. */
public sealed interface Backing {

    /** Where the root is for them. */
    String published();

    /** Mounted at the same path on every node. */
    record HostPath(String published) implements Backing {}

    /** On the disk of one node. */
    record Local(String published) implements Backing {}

    /** Mounted by each node when a pod needs it. */
    record Nfs(String server, String path) implements Backing {
        @Override
        public String published() {
            return server + ":" + path;
        }
    }
}
