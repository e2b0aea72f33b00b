package io.bucketwright.volumes.directories.released;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.roots.RootState;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * All that is known about one volume.
 *
 * @param volume empty if this life of it is over
 * @param claimLives whether the claim it is bound to is there
 * @param root where its directory is, by its class; empty if the class is none of ours
 * @param state of that root
 * @param marker of its name
 * @param progress how far its removal has come
 */
record Observed(
        ObjectKey key,
        Optional<PersistentVolume> volume,
        boolean claimLives,
        Optional<Path> root,
        RootState state,
        Optional<Found> marker,
        Progress progress,
        Instant now) {

    /**
     * What this process has done about it.
     *
     * @param missing nothing stands under its name
     * @param emptied its directory is gone or archived
     * @param told the last message about it
     */
    record Progress(boolean missing, boolean emptied, String told, long since) {}
}
