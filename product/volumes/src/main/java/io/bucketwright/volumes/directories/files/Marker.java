package io.bucketwright.volumes.directories.files;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The record of one directory: which claim owns it and what was granted to it. It is written before the directory is
 * created. Deletion uses only the marker, never the class as it is then.
 *
 * @param cluster the uid of namespace kube-system
 * @param root the id of the root that contains the directory
 * @param published the root's path on the nodes, or {@code SERVER:/PATH}
 * @param node the node whose disk contains it; empty for shared roots
 * @param bytes the size that the claim requested
 * @param archive the name of its archive, once it is to be archived; otherwise empty
 */
public record Marker(
        DirectoryName name,
        ClaimIdentity claim,
        String cluster,
        String provisioner,
        String root,
        String storageClass,
        String published,
        String node,
        DirectoryOwner owner,
        DirectoryMode mode,
        long bytes,
        DeletionPolicy onDelete,
        State state,
        String archive) {

    /** The phases of a directory. Their text is part of the marker's format. */
    public enum State {
        /** Being provisioned, or used by a volume. */
        @JsonProperty("held")
        IN_USE,
        /** Being deleted or archived; no claim can use it any more. */
        @JsonProperty("leaving")
        DELETING,
        /** Kept without a volume, until its claim is created again or an administrator removes it. */
        @JsonProperty("retained")
        RETAINED
    }

    public Marker {
        if (bytes < 0) {
            throw new IllegalArgumentException("The size of a directory cannot be " + bytes + " bytes");
        }
    }

    /** This marker when its directory is to be deleted, or archived if a name is given. */
    public Marker deleting(String archiveName) {
        return with(name, claim, cluster, owner, mode, State.DELETING, archiveName);
    }

    /** This marker when its directory gets another owner and mode. */
    public Marker ownedBy(DirectoryOwner newOwner, DirectoryMode newMode) {
        return with(name, claim, cluster, newOwner, newMode, state, archive);
    }

    public Marker retained() {
        return retainedFor(name, claim);
    }

    /** This marker when its directory is kept for another claim, which need not exist yet. */
    public Marker retainedFor(DirectoryName newName, ClaimIdentity newClaim) {
        return with(newName, newClaim, cluster, owner, mode, State.RETAINED, "");
    }

    /** This marker when another cluster takes over the directory. */
    public Marker adoptedBy(String newCluster, ClaimIdentity newClaim) {
        return with(name, newClaim, newCluster, owner, mode, state, archive);
    }

    private Marker with(
            DirectoryName newName,
            ClaimIdentity newClaim,
            String newCluster,
            DirectoryOwner newOwner,
            DirectoryMode newMode,
            State newState,
            String newArchive) {
        return new Marker(
                newName,
                newClaim,
                newCluster,
                provisioner,
                root,
                storageClass,
                published,
                node,
                newOwner,
                newMode,
                bytes,
                onDelete,
                newState,
                newArchive);
    }
}
