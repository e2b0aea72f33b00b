package io.bucketwright.volumes.directories.classes;

/** How nodes mount the directories of a class. */
public sealed interface DirectoryVolumeSource {

    /** The root's path on the nodes, or {@code SERVER:/PATH}. */
    String published();

    /** A path that is mounted on every node. */
    record HostPath(String published) implements DirectoryVolumeSource {}

    /** A path on the disk of one node. */
    record Local(String published) implements DirectoryVolumeSource {}

    /** An NFS export. */
    record Nfs(String server, String path) implements DirectoryVolumeSource {
        @Override
        public String published() {
            return server + ":" + path;
        }
    }
}
