package io.bucketwright.volumes.directories.files;

/**
 * Identifies a root. The mount point of an unmounted disk has no identity, so it is never mistaken for an empty root.
 *
 * @param cluster the cluster that initialized the root; other clusters may share it, each with its own directories
 */
public record RootIdentity(String id, String cluster) {

    public RootIdentity {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("A root's identity needs an id");
        }
    }
}
