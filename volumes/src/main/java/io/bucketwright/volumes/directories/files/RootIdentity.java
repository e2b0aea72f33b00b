package io.bucketwright.volumes.directories.files;

/**
 * Tells a root from every other, also from the empty directory that an unmounted disk leaves behind.
 *
 * @param cluster whose root it was first; others may share it, but touch only what is marked theirs
 */
public record RootIdentity(String id, String cluster) {

    public RootIdentity {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("A root's identity needs an id");
        }
    }
}
