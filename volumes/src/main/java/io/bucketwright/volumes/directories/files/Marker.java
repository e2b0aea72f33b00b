package io.bucketwright.volumes.directories.files;

/**
 * Whose a directory is and what was promised about it. It is written before the directory is made, and deletion goes by
 * it alone.
 *
 * @param cluster the uid of kube-system
 * @param root the identity of the root it was written in
 * @param published the path, or server and path, under which nodes know the root
 * @param node the only node that has it; empty for shared roots
 * @param archive under which name it is archived, once that is decided; else empty
 */
public record Marker(
        AssetName name,
        ClaimIdentity claim,
        String cluster,
        String provisioner,
        String root,
        String storageClass,
        String published,
        String node,
        Owner owner,
        Mode mode,
        long bytes,
        OnDelete onDelete,
        State state,
        String archive) {

    /** How far its life has come. */
    public enum State {
        /** Promised, made, or in use. */
        HELD,
        /** To be removed or archived; nobody may have it any more. */
        LEAVING,
        /** Kept without a volume, until its claim comes back or somebody removes it. */
        RETAINED
    }

    public Marker {
        if (bytes < 0) {
            throw new IllegalArgumentException("A directory cannot hold " + bytes + " bytes");
        }
    }

    public Marker leaving(String archiveName) {
        return with(State.LEAVING, archiveName);
    }

    public Marker retained() {
        return with(State.RETAINED, "");
    }

    /** The same, kept for a claim that is yet to come. */
    public Marker retainedFor(AssetName newName, ClaimIdentity newClaim) {
        return new Marker(
                newName,
                newClaim,
                cluster,
                provisioner,
                root,
                storageClass,
                published,
                node,
                owner,
                mode,
                bytes,
                onDelete,
                State.RETAINED,
                "");
    }

    private Marker with(State newState, String newArchive) {
        return new Marker(
                name,
                claim,
                cluster,
                provisioner,
                root,
                storageClass,
                published,
                node,
                owner,
                mode,
                bytes,
                onDelete,
                newState,
                newArchive);
    }
}
